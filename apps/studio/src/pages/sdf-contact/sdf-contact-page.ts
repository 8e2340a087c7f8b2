/** The SDF contact page: bodies of any field fall into a tray, stack and slide; what touches, pushes and overlaps is seen. */
import { type SimulationParts, type SimulationRun, simulationPage } from '../../shell/simulation/simulation-page.js'
import { PullInput } from '../../shell/view/pull-input.js'
import type { View3D } from '../../shell/view/view-3d.js'
import { PileControls } from './pile-controls.js'
import { pileFiles } from './pile-files.js'
import {
  type BodyGrip,
  type Frame,
  type HeldBody,
  type Opened,
  type OverlapLook,
  PILE_ADDRESS,
  type PileSettings,
  type PileSimulation,
} from './pile-protocol.js'
import type { PileState } from './pile-state.js'
import { PileTables } from './pile-tables.js'
import { PileView } from './pile-view.js'
import { SDF_CONTACT_CODE } from './sdf-contact-code.js'

import './sdf-contact.css'

export const mount = simulationPage({
  name: 'sdf-contact',
  state: 'pliantSdfContact',
  about: {
    seen: 'Rigid bodies stack and slide, each of them only a distance field.',
    hard: 'Hard, because a field has no corners to test: contacts are where one is deepest in the other.',
    docs: './docs/sdf-contact.html',
    code: SDF_CONTACT_CODE,
  },
  help: {
    mouse:
      'Drag a body, elsewhere to turn \u00b7 wheel to zoom \u00b7 keyboard: space takes hold, arrow keys, + and \u2212',
    touch: 'One finger on a body drags it, elsewhere it turns \u00b7 two fingers zoom',
  },
  startWorker: () => new Worker(new URL('./pile-worker.ts', import.meta.url), { type: 'module' }),
  source: pileFiles,
  address: PILE_ADDRESS,
  facts: () => 'in a tray; every body is a distance field',
  build: (run: SimulationRun<PileSimulation>) => new PileParts(run),
})

class PileParts implements SimulationParts<PileSimulation> {
  readonly #run: SimulationRun<PileSimulation>
  readonly #controls: PileControls
  readonly #tables = new PileTables()
  readonly #scene: PileView
  readonly #input: PullInput<BodyGrip>
  readonly view: View3D
  readonly side: readonly HTMLElement[]
  readonly rest = [this.#tables.root]
  #names: readonly string[] = []
  #overlap: OverlapLook | undefined

  constructor(run: SimulationRun<PileSimulation>) {
    this.#run = run
    this.#scene = new PileView(() => run.turned())
    this.view = this.#scene.view
    this.#input = new PullInput(this.view, this.#scene.grips, { onTake: () => {} })
    this.#controls = new PileControls({
      onSettings: (settings) => this.#set(settings),
      onStep: () => {
        this.#set({ run: 'off' })
        run.command('step')
      },
      onReset: () => {
        this.#set({ run: 'on' })
        this.#tables.clear()
        run.command('reset')
      },
    })
    this.side = this.#controls.sections
  }

  open({ kinds }: Opened): void {
    this.#input.release()
    this.#controls.open(kinds)
  }

  showSettings(settings: PileSettings): void {
    this.#controls.show(settings)
  }

  /** The worker answers whether time passes or not, so that bodies can be put elsewhere. */
  showPlaying(): void {}

  clearFigures({ kinds, count, scans, shape }: Partial<PileSettings>): void {
    if ([kinds, count, scans, shape].some((value) => value !== undefined)) this.#tables.clear()
  }

  input(): HeldBody | undefined {
    return this.#input.held
  }

  show(frame: Frame, seconds: number): void {
    const settings = this.#run.settings!
    const { pile } = frame
    if (pile) {
      this.#input.release()
      this.#input.size = pile.size
      this.#names = pile.bodies.map((kind) => pile.kinds[kind].name)
      this.#scene.open(pile)
      this.#controls.bodies = this.#names
    }
    if (pile || settings.cells === 'off') this.#overlap = undefined
    if (frame.overlap !== undefined) this.#overlap = frame.overlap === 'none' ? undefined : frame.overlap
    if (pile || frame.overlap !== undefined || settings.cells === 'off') this.#showOverlap(settings)
    if (frame.boxes) this.#scene.addBoxes(frame.boxes)
    this.#controls.problem = frame.problem
    this.#tables.add(frame, seconds, this.#scene.draw(frame, settings))
  }

  state(_opened: Opened, settings: PileSettings, frame: Frame): Omit<PileState, 'frames'> {
    const { time, contacts, energy, pull, vertices, problem } = frame
    const { count, pushing, pairs, deepest } = contacts
    return {
      settings: { ...settings },
      time,
      bodies: this.#names,
      poses: [...vertices.poses],
      contacts: { count, pushing, pairs, deepest },
      drawn: this.#scene.drawn,
      energy,
      overlap: this.#overlap ? { bodies: this.#overlap.bodies, volume: this.#overlap.volume } : null,
      pull: [...pull],
      problem: problem ?? null,
      figures: this.#tables.figures,
      grip: this.#scene.grip(),
    }
  }

  dispose(): void {
    this.#input.dispose()
    this.#scene.dispose()
  }

  #set(settings: Partial<PileSettings>): void {
    this.#run.set(settings)
    if (this.#run.settings) this.#controls.show(this.#run.settings)
  }

  #showOverlap({ cells }: PileSettings): void {
    this.#scene.showOverlap(this.#overlap)
    this.#tables.showOverlap(this.#overlap, cells === 'on', this.#names)
  }
}
