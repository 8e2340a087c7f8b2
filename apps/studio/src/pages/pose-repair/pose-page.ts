/** The Pose repair page: a body posed by hand, sliders or a motion; what runs into itself lights up, and is repaired. */
import { element } from '../../shell/element.js'
import type { PageModule } from '../../shell/page.js'
import { type SimulationParts, type SimulationRun, simulationPage } from '../../shell/simulation/simulation-page.js'
import { type Held, PullInput, vertexGrips } from '../../shell/view/pull-input.js'
import type { View3D } from '../../shell/view/view-3d.js'
import { POSE_CODE } from './pose-code.js'
import { PoseControls } from './pose-controls.js'
import { PoseFiles } from './pose-files.js'
import {
  POSE_ADDRESS,
  type PoseFrame,
  type PoseLook,
  type PoseOpened,
  type PoseSettings,
  type PoseSimulation,
} from './pose-protocol.js'
import { PoseScene } from './pose-scene.js'
import type { LookState, PoseState } from './pose-state.js'
import { PoseTables } from './pose-tables.js'
import { writePose } from './pose-text.js'
import { saveCode } from './save-code.js'
import { Verdict } from './verdict.js'

import './pose-repair.css'

export const mount: PageModule['mount'] = (root, host) =>
  simulationPage({
    name: 'pose-repair',
    state: 'pliantPoseRepair',
    about: {
      seen: 'Pose a body: parts that run into each other light up, and one press repairs the pose.',
      hard: 'Hard, because a free pose must also be the nearest one; a network tells the way, an exact test has the last word.',
      docs: './docs/three.html#characters-that-stay-out-of-themselves',
      code: POSE_CODE,
    },
    help: {
      mouse:
        'Drag the body to pose it, elsewhere to turn \u00b7 wheel to zoom \u00b7 keyboard: space takes hold, arrow keys, + and \u2212',
      touch: 'One finger on the body poses it, elsewhere it turns \u00b7 two fingers zoom',
    },
    startWorker: () => new Worker(new URL('./pose-worker.ts', import.meta.url), { type: 'module' }),
    source: new PoseFiles(),
    address: POSE_ADDRESS,
    facts: ({ entries, triangles, backend }: PoseOpened) =>
      `code of ${entries.length} numbers, ${(triangles.length / 3).toLocaleString('en')} triangles, ${backend}`,
    build: (run: SimulationRun<PoseSimulation>) => new PosePageParts(run),
  })(root, host)

class PosePageParts implements SimulationParts<PoseSimulation> {
  readonly #run: SimulationRun<PoseSimulation>
  readonly #controls: PoseControls
  readonly #tables = new PoseTables()
  readonly #verdict = new Verdict()
  readonly #scene: PoseScene
  readonly #input: PullInput<{ vertex: number }>
  readonly view: View3D
  readonly side: readonly HTMLElement[]
  readonly rest: readonly HTMLElement[]
  /** Of each vertex, the group of entries that moves it. */
  #groups: readonly string[] = []
  #play: PoseFrame['play'] = 'off'

  constructor(run: SimulationRun<PoseSimulation>) {
    this.#run = run
    this.#scene = new PoseScene(() => run.turned())
    this.view = this.#scene.view
    this.view.root.append(this.#verdict.root)
    this.#input = new PullInput(
      this.view,
      vertexGrips(() => this.#scene.mesh),
      {
        onTake: ({ vertex }) => {
          this.#controls.groups.group = this.#groups[vertex]
        },
      },
    )
    this.#controls = new PoseControls({
      onSettings: (settings) => {
        run.set(settings)
        if (run.settings) this.#controls.show(run.settings)
      },
      onCommand: (command) => run.command(command),
      onSave: () => {
        const { frame, opened, settings } = run
        // What is on show; of both, the one that may be repaired.
        if (frame && opened) void saveCode(opened.name, frame.codes[settings?.show === 'before' ? 'before' : 'after'])
      },
    })
    this.side = this.#controls.sections
    this.rest = [element('aside', { class: 'readouts', 'aria-label': 'Figures' }, ...this.#tables.sections)]
  }

  open(opened: PoseOpened): void {
    this.#input.release()
    this.#input.size = opened.size
    this.#groups = groupsOfVertices(opened)
    this.#scene.open(opened)
    this.#controls.open(opened)
    this.#tables.open(opened)
  }

  showSettings(settings: PoseSettings): void {
    this.#play = settings.play
    this.#controls.show(settings)
  }

  /** The worker goes on whether a motion plays or not. */
  showPlaying(): void {}

  clearFigures(): void {}

  input(): Held | undefined {
    return this.#input.held
  }

  show(frame: PoseFrame): void {
    const settings = this.#run.settings!
    this.#scene.draw(frame, settings.show)
    this.#verdict.show(settings.show === 'before' ? frame.before : frame.after)
    this.#tables.show(frame)
    this.#controls.groups.show(frame.keep === 'on' ? frame.codes.before : frame.codes.after)
    this.#followPlay(frame, settings)
    this.#remember(frame, settings)
  }

  state(opened: PoseOpened, settings: PoseSettings, frame: PoseFrame): Omit<PoseState, 'frames' | 'playing'> {
    const { codes, before, after, keep, still, pull, repair, time, play } = frame
    return {
      body: opened.name,
      backend: opened.backend,
      settings: { ...settings },
      keep,
      codes: { before: [...codes.before], after: [...codes.after] },
      before: lookState(before),
      after: lookState(after),
      still,
      pull: [...pull],
      repair: repair ?? null,
      time,
      play,
      grips: this.#scene.grips(),
    }
  }

  dispose(): void {
    this.#input.dispose()
    this.#scene.dispose()
  }

  /** A hand, a slider or a button stops the motion in the worker; the page is told by the frame. */
  #followPlay({ play }: PoseFrame, settings: PoseSettings): void {
    if (play === this.#play) return
    this.#play = play
    settings.play = play
    this.#controls.play = play
  }

  /** The pose goes into the address once it rests. The worker knows it: telling it again would undo what came since. */
  #remember({ still, play, codes }: PoseFrame, settings: PoseSettings): void {
    if (!still || play === 'on') return
    const code = writePose(codes.before)
    if (code === settings.code) return
    settings.code = code
    this.#run.turned()
  }
}

function groupsOfVertices({ triangles, parts }: PoseOpened): string[] {
  const groups: string[] = []
  for (let t = 0; t < triangles.length; t++) groups[triangles[t]] = parts.groups[parts.ofTriangle[Math.trunc(t / 3)]]
  return groups
}

function lookState({ distance, clearance, nearest, touching, pairs, heat, segments }: PoseLook): LookState {
  const lit = heat.reduce((count, value) => count + (value > 0 ? 1 : 0), 0)
  return { distance, clearance, nearest, touching, pairs, lit, lines: segments.length / 6 }
}
