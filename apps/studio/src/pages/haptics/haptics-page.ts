/** The Haptics page: a soft hand that pushes a soft body, contact found by learned fields or by the triangles. */
import type { ToolPose } from 'pliant/unstable/blocks'
import * as THREE from 'three'
import { element } from '../../shell/element.js'
import { type SimulationParts, type SimulationRun, simulationPage } from '../../shell/simulation/simulation-page.js'
import type { View3D } from '../../shell/view/view-3d.js'
import { bodyFiles } from './body-files.js'
import { depthButtons } from './depth-buttons.js'
import { HandDriver } from './hand-driver.js'
import { HandInput } from './hand-input.js'
import { HAPTICS_CODE } from './haptics-code.js'
import { HapticsControls } from './haptics-controls.js'
import {
  type Frame,
  HAPTICS_ADDRESS,
  type HapticsSettings,
  type HapticsSimulation,
  type Opened,
} from './haptics-protocol.js'
import { HapticsScene } from './haptics-scene.js'
import type { HapticsState } from './haptics-state.js'
import { HapticsTables } from './haptics-tables.js'
import { XrButton } from './xr-button.js'

export const mount = simulationPage({
  name: 'haptics',
  state: 'pliantHaptics',
  about: {
    seen: 'A soft hand, yours, presses a soft body; the arrow is the force.',
    hard: 'Hard, because both give way everywhere, and touch wants its answer in a millisecond.',
    docs: './docs/soft-body.html',
    code: HAPTICS_CODE,
  },
  help: {
    mouse:
      'Mouse moves the hand, wheel pushes it away \u00b7 right button turns the view \u00b7 keyboard: arrow keys move the hand, Shift + arrow keys turn, + and \u2212 zoom',
    touch: 'One finger moves the hand \u00b7 two fingers turn and zoom',
  },
  startWorker: () => new Worker(new URL('./haptics-worker.ts', import.meta.url), { type: 'module' }),
  source: bodyFiles,
  address: HAPTICS_ADDRESS,
  facts: ({ nodes, bodyTriangles, backend }: Opened) =>
    `${nodes.toLocaleString('en')} nodes, ${(bodyTriangles.length / 3).toLocaleString('en')} triangles, ${backend}`,
  build: (run: SimulationRun<HapticsSimulation>) => new HapticsParts(run),
})

class HapticsParts implements SimulationParts<HapticsSimulation> {
  readonly #run: SimulationRun<HapticsSimulation>
  readonly #controls: HapticsControls
  readonly #tables = new HapticsTables()
  readonly #scene: HapticsScene
  readonly #driver: HandDriver
  readonly #input: HandInput
  readonly #xr: XrButton
  readonly view: View3D
  readonly side: readonly HTMLElement[]
  readonly rest = [this.#tables.root]
  /** The recorded path is played. */
  #onPath = false
  #pathsPlayed = 0
  #mostContacts = 0
  #strongestForce = 0

  constructor(run: SimulationRun<HapticsSimulation>) {
    this.#run = run
    this.#scene = new HapticsScene(() => run.turned())
    this.view = this.#scene.view
    this.#driver = new HandDriver(this.view.camera)
    this.#xr = new XrButton({
      renderer: this.view.renderer,
      onSession: (presenting) => {
        this.#scene.standAt(presenting)
        if (presenting) this.#play(false)
      },
      onProblem: (message) => run.fail(message),
    })
    this.#input = new HandInput(this.view.canvas, this.#driver, { onTake: () => this.#play(false) })
    this.#controls = new HapticsControls({
      ways: [depthButtons(this.#input), element('div', { class: 'buttons' }, this.#xr.root)],
      onSettings: (settings) => run.set(settings),
      onPause: (paused) => {
        run.playing = !paused
      },
      onReset: () => this.#reset(),
      onPath: (play) => this.#play(play),
    })
    this.side = this.#controls.sections
  }

  open(opened: Opened): void {
    this.#scene.open(opened)
    this.#driver.begin(opened)
    // Asked for by the address, before there was anything to play it on.
    if (this.#onPath) this.#run.command('play')
  }

  readAddress(parameters: ReadonlyMap<string, string>): void {
    if (parameters.get('path') === 'press') this.#play(true)
  }

  showSettings(settings: HapticsSettings, opened: Opened): void {
    this.#controls.show(settings, opened)
  }

  showPlaying(playing: boolean): void {
    this.#controls.paused = !playing
  }

  clearFigures({ field }: Partial<HapticsSettings>): void {
    if (field !== undefined) this.#clear()
  }

  input(seconds: number): ToolPose {
    this.#input.poll(Math.min(seconds, 0.1))
    if (this.view.renderer.xr.isPresenting) this.#holdController()
    return this.#driver.pose
  }

  show(frame: Frame, seconds: number): void {
    this.#mostContacts = Math.max(this.#mostContacts, frame.touched.vertices.length)
    this.#strongestForce = Math.max(this.#strongestForce, Math.hypot(...frame.force))
    this.#controls.ownError = frame.ownError
    this.#tables.add(frame, seconds, this.#scene.draw(frame, seconds))
    if (!this.#onPath || this.#run.frame?.pathTime === undefined || frame.pathTime !== undefined) return
    this.#pathsPlayed++
    this.#play(false)
  }

  state(opened: Opened, settings: HapticsSettings, frame: Frame): Omit<HapticsState, 'frames' | 'playing'> {
    return {
      body: opened.name,
      backend: opened.backend,
      toolLearned: opened.toolLearned,
      settings: { ...settings },
      pathsPlayed: this.#pathsPlayed,
      field: frame.field,
      time: frame.time,
      pathTime: frame.pathTime ?? null,
      hand: frame.hand,
      contacts: frame.touched.vertices.length,
      force: [...frame.force],
      ownError: frame.ownError ?? null,
      penetration: frame.penetration,
      worstPenetration: this.#tables.worst ?? null,
      mostContacts: this.#mostContacts,
      strongestForce: this.#strongestForce,
      figures: this.#tables.figures,
      bodyVertices: [...frame.vertices.body],
      toolVertices: [...frame.vertices.tool],
    }
  }

  dispose(): void {
    this.#input.dispose()
    this.#xr.dispose()
    this.#scene.dispose()
  }

  #reset(): void {
    const { opened } = this.#run
    if (!opened) return
    this.#clear()
    this.#driver.take(opened.start)
    this.#run.command('reset')
    this.#run.playing = true
  }

  #play(on: boolean): void {
    if (on === this.#onPath) return
    this.#onPath = on
    this.#controls.path = on
    this.#run.command(on ? 'play' : 'leave')
    const { frame } = this.#run
    if (on) this.#run.playing = true
    else if (frame) this.#driver.take(frame.hand)
  }

  #clear(): void {
    this.#tables.clear()
    this.#mostContacts = 0
    this.#strongestForce = 0
  }

  #holdController(): void {
    const grip = this.view.renderer.xr.getControllerGrip(0)
    if (!grip.visible) return
    if (grip.parent !== this.#scene.viewer) this.#scene.viewer.add(grip)
    grip.updateWorldMatrix(true, false)
    const [position, rotation] = [new THREE.Vector3(), new THREE.Quaternion()]
    grip.matrixWorld.decompose(position, rotation, new THREE.Vector3())
    this.#driver.hold(position, rotation)
  }
}
