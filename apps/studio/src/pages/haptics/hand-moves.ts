/** What keys and gamepads ask of the hand, along the camera's axes, each from -1 to 1. */
export interface HandMove {
  /** To the right, up, and away from the viewer. */
  across: number
  up: number
  away: number
  /** About the vertical, to the left. */
  turn: number
}

/** Sticks at rest are not at zero. */
const DEAD = 0.14
/** Buttons of the standard gamepad: the shoulders. */
const [LEFT_SHOULDER, RIGHT_SHOULDER] = [4, 5]

/** Left stick: across and up; right stick: away and turn; shoulders: up and down as well. */
export function gamepadMove({ axes, buttons }: Pick<Gamepad, 'axes' | 'buttons'>): HandMove {
  const pressed = (button: number): number => (buttons[button]?.pressed ? 1 : 0)
  return {
    across: bent(axes[0]),
    up: Math.min(1, Math.max(-1, pressed(RIGHT_SHOULDER) - pressed(LEFT_SHOULDER) - bent(axes[1]))),
    away: 0 - bent(axes[3]),
    turn: 0 - bent(axes[2]),
  }
}

/** Past the dead zone from 0 on, so that slow moves are possible. */
function bent(value = 0): number {
  const size = Math.abs(value)
  return size > DEAD ? (Math.sign(value) * Math.min(1, size - DEAD)) / (1 - DEAD) : 0
}

type Direction = readonly [keyof HandMove, 1 | -1]
const KEYS: Readonly<Record<string, Direction>> = {
  ArrowLeft: ['across', -1],
  ArrowRight: ['across', 1],
  ArrowUp: ['up', 1],
  ArrowDown: ['up', -1],
  PageUp: ['away', 1],
  PageDown: ['away', -1],
  Comma: ['turn', 1],
  Period: ['turn', -1],
}

export function isHandKey(code: string): boolean {
  return Object.hasOwn(KEYS, code)
}

/** @param held codes of the keys that are down */
export function keysMove(held: Iterable<string>): HandMove {
  const move: HandMove = { across: 0, up: 0, away: 0, turn: 0 }
  for (const code of held) {
    const [way, sign] = KEYS[code]
    move[way] += sign
  }
  return move
}
