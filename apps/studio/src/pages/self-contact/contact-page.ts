/** The Self-contact page: a body of few modes, pulled about, that meets the table and itself; beside it a slice of its codes. */
import { element } from '../../shell/element.js'
import { type SimulationParts, type SimulationRun, simulationPage } from '../../shell/simulation/simulation-page.js'
import { type Held, PullInput, vertexGrips } from '../../shell/view/pull-input.js'
import type { View3D } from '../../shell/view/view-3d.js'
import { CONTACT_CODE } from './contact-code.js'
import { ContactControls } from './contact-controls.js'
import { contactFiles } from './contact-files.js'
import {
  CONTACT_ADDRESS,
  type ContactSettings,
  type ContactSimulation,
  type Frame,
  type Opened,
} from './contact-protocol.js'
import { ContactScene } from './contact-scene.js'
import type { ContactState } from './contact-state.js'
import { ContactTables } from './contact-tables.js'
import { SliceSection } from './slice/slice-section.js'

import './contact.css'

export const mount = simulationPage({
  name: 'self-contact',
  state: 'pliantSelfContact',
  about: {
    seen: 'Pull a soft body: it does not pass through itself.',
    hard: 'Hard, because any part may meet any other; a network of its few modes answers in microseconds.',
    docs: './docs/three.html#bodies-that-know-when-they-touch-themselves',
    code: CONTACT_CODE,
  },
  help: {
    mouse:
      'Drag the body to pull it, elsewhere to turn \u00b7 wheel to zoom \u00b7 keyboard: space takes hold, arrow keys, + and \u2212',
    touch: 'One finger on the body pulls, elsewhere it turns \u00b7 two fingers zoom',
  },
  startWorker: () => new Worker(new URL('./contact-worker.ts', import.meta.url), { type: 'module' }),
  source: contactFiles,
  address: CONTACT_ADDRESS,
  facts: ({ bounds, triangles, backend }: Opened) =>
    `${bounds.lower.length} modes, ${(triangles.length / 3).toLocaleString('en')} triangles, ${backend}`,
  build: (run: SimulationRun<ContactSimulation>) => new ContactParts(run),
})

class ContactParts implements SimulationParts<ContactSimulation> {
  readonly #controls: ContactControls
  readonly #tables = new ContactTables()
  readonly #slice: SliceSection
  readonly #scene: ContactScene
  readonly #input: PullInput<{ vertex: number }>
  readonly view: View3D
  readonly side: readonly HTMLElement[]
  readonly rest: readonly HTMLElement[]

  constructor(run: SimulationRun<ContactSimulation>) {
    this.#scene = new ContactScene(() => run.turned())
    this.view = this.#scene.view
    this.#input = new PullInput(
      this.view,
      vertexGrips(() => this.#scene.mesh),
      {
        onTake: () => {
          run.playing = true
          if (run.settings?.pull !== 'script') return
          run.set({ pull: 'hand' })
          this.#controls.script = false
        },
      },
    )
    this.#controls = new ContactControls({
      onSettings: (settings) => {
        run.set(settings)
        if (settings.pull === undefined) return
        this.#controls.script = settings.pull === 'script'
        if (settings.pull === 'script') run.playing = true
      },
      onPause: (paused) => {
        run.playing = !paused
      },
      onReset: () => {
        this.#tables.clear()
        run.command('reset')
        run.playing = true
      },
    })
    this.#slice = new SliceSection({
      onAxes: (axes) => run.set(axes),
      onFailure: (message) => run.fail(message),
    })
    this.side = this.#controls.sections
    this.rest = [
      element('aside', { class: 'readouts', 'aria-label': 'Slice and answers' }, this.#slice.root, this.#tables.now),
      element('aside', { class: 'more', 'aria-label': 'Figures' }, this.#tables.quality, this.#tables.step),
    ]
  }

  open(opened: Opened): void {
    this.#input.release()
    this.#input.size = opened.size
    this.#scene.open(opened)
    this.#tables.open(opened)
    this.#slice.open(opened)
  }

  showSettings(settings: ContactSettings): void {
    this.#controls.show(settings)
    this.#slice.axes = settings
  }

  showPlaying(playing: boolean): void {
    this.#controls.paused = !playing
  }

  clearFigures({ keep }: Partial<ContactSettings>): void {
    if (keep !== undefined) this.#tables.clear()
  }

  input(): Held | undefined {
    return this.#input.held
  }

  show(frame: Frame, seconds: number): void {
    this.#slice.follow(frame)
    this.#tables.add(frame, seconds, this.#scene.draw(frame, seconds, this.#input.held === undefined))
  }

  state(opened: Opened, settings: ContactSettings, frame: Frame): Omit<ContactState, 'frames' | 'playing'> {
    const { time, keep, code, distance, look, pulls } = frame
    return {
      body: opened.name,
      backend: opened.backend,
      settings: { ...settings },
      time,
      keep,
      code: [...code],
      distance,
      touching: look.touching,
      looks: look.looks,
      touchingLooks: look.touchingLooks,
      meeting: look.triangles.length,
      pulls: [...pulls],
      microseconds: look.microseconds,
      figures: this.#tables.figures,
      dot: this.#slice.dot,
      slice: this.#slice.state,
      round: this.#slice.round,
      grip: this.#scene.grip(),
    }
  }

  dispose(): void {
    this.#input.dispose()
    this.#slice.dispose()
    this.#scene.dispose()
  }
}
