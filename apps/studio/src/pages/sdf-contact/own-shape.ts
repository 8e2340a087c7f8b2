/** The visitor's own body: JSON that `shapeOf` reads, refused in one line where it is not a body for this tray. */
import { type Shape, shapeOf, shapesAsked } from 'pliant/shapes'
import { boxDiagonal } from 'pliant/unstable'

/** What the page begins with: a jack, which hooks into others. */
export const FIRST_SHAPE = `{
  "shape": "smooth-union",
  "width": 0.05,
  "a": { "shape": "sphere", "radius": 0.09 },
  "b": {
    "shape": "union",
    "of": [
      { "shape": "capsule", "from": [-0.2, 0, 0], "to": [0.2, 0, 0], "radius": 0.035 },
      { "shape": "capsule", "from": [0, -0.2, 0], "to": [0, 0.2, 0], "radius": 0.035 },
      { "shape": "capsule", "from": [0, 0, -0.2], "to": [0, 0, 0.2], "radius": 0.035 }
    ]
  }
}`

/** More to begin from, by name. */
export const EXAMPLE_SHAPES: Readonly<Record<string, string>> = {
  jack: FIRST_SHAPE,
  'drilled block': `{
  "shape": "difference",
  "from": { "shape": "box", "half": [0.16, 0.16, 0.16], "rounding": 0.02 },
  "taken": [
    { "shape": "cylinder", "radius": 0.09, "half": 0.3 },
    { "shape": "cylinder", "radius": 0.09, "half": 0.3, "turn": [0.7071, 0, 0, 0.7071] }
  ]
}`,
  bowl: `{
  "shape": "intersection",
  "of": [
    { "shape": "onion", "thickness": 0.02, "of": { "shape": "sphere", "radius": 0.2 } },
    { "shape": "half-space", "normal": [0, 1, 0], "offset": 0.02 }
  ]
}`,
  'twisted bar': `{
  "shape": "twisted",
  "rate": 5,
  "of": { "shape": "box", "half": [0.1, 0.2, 0.05], "rounding": 0.01 }
}`,
  comb: `{
  "shape": "union",
  "of": [
    { "shape": "box", "half": [0.2, 0.03, 0.04], "at": [0, 0.14, 0] },
    {
      "shape": "repeated", "spacing": [0.09, 1, 1], "counts": [5, 1, 1],
      "of": { "shape": "capsule", "from": [0, -0.1, 0], "to": [0, 0.12, 0], "radius": 0.022 }
    }
  ]
}`,
}

/** Characters at most: longer ones are pasted by mistake. */
const LONGEST = 20_000
/** Shapes at most that a distance asks, copies of a repetition that lie nearest among them: 400 balls took 13 s to make. */
const MOST_ASKED = 120
/** Diagonals that fall with the others [m]. */
const SIZES = [0.06, 1.2] as const

/**
 * @param text  empty for the body that the page begins with
 * @throws RangeError in one line that says what is wrong and what to do
 */
export function readOwnShape(text: string): Shape {
  if (text.length > LONGEST) {
    throw new RangeError(`shape: ${text.length} characters of JSON; make it ${LONGEST} or fewer.`)
  }
  const description = parse(text.trim() === '' ? FIRST_SHAPE : text)
  const asked = shapesAsked(description)
  if (asked > MOST_ASKED) {
    throw new RangeError(`shape: a distance asks ${count(asked)} shapes; make it of ${MOST_ASKED} or fewer.`)
  }
  const shape = shapeOf(description)
  const { lower, upper } = shape.box
  if (![...lower, ...upper].every(Number.isFinite)) {
    throw new RangeError('shape: it has no end; cut it by an intersection, as a half-space with a box.')
  }
  const size = boxDiagonal(shape.box)
  if (!(size >= SIZES[0] && size <= SIZES[1])) {
    throw new RangeError(
      `shape: it is ${Number(size.toPrecision(3))} m across; make it ${SIZES[0]} to ${SIZES[1]} m, for instance by "scale".`,
    )
  }
  return shape
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new RangeError(`shape: this is no JSON (${reason.replace(/\s+/g, ' ')}); mind commas, quotes and brackets.`)
  }
}

function count(value: number): string {
  return Number.isFinite(value) && value < 1e6 ? String(value) : 'millions of'
}
