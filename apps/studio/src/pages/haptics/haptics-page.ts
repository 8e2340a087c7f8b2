/** The haptics page: a soft hand that pushes a soft body, contact found by the network or by the triangles. */
import * as THREE from 'three'
import { element } from '../../shell/element.js'
import { ObjectPicker } from '../../shell/object-picker.js'
import type { MountedPage, Page, PageHost } from '../../shell/page.js'
import type { Route } from '../../shell/route.js'
import { HandDriver } from './hand-driver.js'
import { HandInput } from './hand-input.js'
import { HapticsClient } from './haptics-client.js'
import { HapticsControls } from './haptics-controls.js'
import { readHapticsView, writeHapticsView } from './haptics-parameters.js'
import { type Frame, type HapticsSettings, type Opened, STEP } from './haptics-protocol.js'
import { HapticsScene } from './haptics-scene.js'
import { type HapticsState, publishHapticsState } from './haptics-state.js'
import { HapticsTables } from './haptics-tables.js'
import { type BodyFiles, type ListedBody, listBodies, openFiles, openListed } from './studio-body.js'
import { XrButton } from './xr-button.js'

/** Most steps in one picture: a slower machine shows slow motion instead of falling behind ever further. */
const MOST_STEPS = 3
const HELP =
  'Move the mouse to move the hand \u00b7 wheel: away and near \u00b7 right button or Shift + drag: turn the view \u00b7 arrow keys, gamepad'

export const hapticsPage: Page = {
  name: 'haptics',
  title: 'Haptics',
  mount: (root, host) => new HapticsPage(root, host),
}

class HapticsPage implements MountedPage {
  readonly #picker: ObjectPicker<ListedBody>
  readonly #controls: HapticsControls
  readonly #tables = new HapticsTables()
  readonly #scene = new HapticsScene()
  readonly #driver = new HandDriver(this.#scene.camera)
  readonly #input: HandInput
  readonly #xr: XrButton
  readonly #client: HapticsClient
  readonly #unpublish: () => void
  #listed: ListedBody[] = []
  /** On show, and asked for. */
  #files: BodyFiles | undefined
  #asked: BodyFiles | undefined
  #opened: Opened | undefined
  #settings: HapticsSettings | undefined
  /** Counts openings: a slow one must not replace a later one. */
  #opening = 0
  #paused = false
  /** The simulation has thrown and waits for a reset. */
  #stopped = false
  #playing = false
  #pathsPlayed = 0
  /** Time that has passed and was not simulated yet [s]. */
  #owed = 0
  #lastTick: number | undefined
  #lastPicture: number | undefined
  #frame: Frame | undefined
  #frames = 0
  #mostContacts = 0
  #strongestForce = 0

  constructor(
    root: HTMLElement,
    private readonly host: PageHost,
  ) {
    this.#picker = new ObjectPicker<ListedBody>({
      accept: '.safetensors',
      hint: 'An elastic body that `pliant train` made; or drop it on the page',
      onListed: (listed) => this.#open(() => openListed(listed)),
      onFiles: (files) => this.#open(() => openFiles(files, this.#listed[0].tool)),
    })
    this.#xr = new XrButton({
      renderer: this.#scene.renderer,
      onSession: (presenting) => {
        this.#scene.standAt(presenting)
        if (presenting) this.#play(false)
      },
      onProblem: (message) => {
        this.#controls.problem = message
      },
    })
    this.#controls = new HapticsControls({
      picker: this.#picker.root,
      ways: element('div', { class: 'buttons' }, this.#xr.root),
      onSettings: (settings) => this.#set(settings),
      onPause: (paused) => this.#pause(paused),
      onReset: () => this.#reset(),
      onPath: (play) => this.#play(play),
    })
    this.#input = new HandInput(this.#scene.canvas, this.#driver, { onTake: () => this.#play(false) })
    this.#client = new HapticsClient({
      onOpened: (opened) => this.#put(opened),
      onFrame: (frame) => this.#show(frame),
      onFailure: (message, opening) => this.#fail(message, opening),
    })
    this.#scene.root.append(element('p', { class: 'help' }, HELP))
    root.append(element('div', { class: 'haptics-page' }, this.#controls.root, this.#scene.root, this.#tables.root))
    this.#unpublish = publishHapticsState(() => this.#state())
    const view = readHapticsView(host.route.parameters)
    this.#playing = view.path
    this.#open(async () => {
      this.#listed = await listBodies()
      this.#picker.list(this.#listed)
      return openListed(this.#listed.find(({ file }) => file === view.body) ?? this.#listed[0])
    }, view.settings)
    // Not the window's own loop: that one stands still while a headset shows the page.
    this.#scene.renderer.setAnimationLoop((now) => this.#tick(now))
  }

  show(route: Route): void {
    const view = readHapticsView(route.parameters)
    const other = this.#listed.find(({ file }) => file === view.body)
    if (other && other.file !== this.#files?.listed) this.#open(() => openListed(other), view.settings)
    else if (this.#opened && this.#settings) {
      this.#set(view.settings)
      this.#controls.show({ ...this.#opened, settings: this.#settings })
    }
    if (view.path) this.#play(true)
  }

  unmount(): void {
    this.#opening++
    this.#unpublish()
    this.#input.dispose()
    this.#xr.dispose()
    this.#picker.dispose()
    this.#client.dispose()
    this.#scene.dispose()
  }

  /** Opens a body; if that fails, the one on show stays and the reason is told. */
  async #open(load: () => Promise<BodyFiles>, settings: Partial<HapticsSettings> = {}): Promise<void> {
    const turn = ++this.#opening
    try {
      const files = await load()
      if (turn !== this.#opening) return
      this.#asked = files
      this.#client.open(files.body, files.tool, settings)
    } catch (error) {
      if (turn === this.#opening) this.#fail(error instanceof Error ? error.message : String(error), true)
    }
  }

  #put(opened: Opened): void {
    this.#files = this.#asked
    this.#opened = opened
    this.#settings = opened.settings
    this.#frame = undefined
    this.#frames = 0
    this.#stopped = false
    this.#clear()
    this.#controls.problem = undefined
    this.#controls.show(opened)
    this.#scene.open(opened)
    this.#driver.begin(opened)
    this.#restorePicker()
    if (this.#playing) this.#play(true)
  }

  #fail(message: string, opening: boolean): void {
    if (!opening) this.#stopped = true
    this.#controls.problem = opening ? message : `${message} The simulation has stopped; press Reset to begin again.`
    this.#restorePicker()
  }

  #restorePicker(): void {
    if (!this.#files || !this.#opened) return
    const { nodes, bodyTriangles, backend } = this.#opened
    const facts = [
      `${nodes.toLocaleString('en')} nodes`,
      `${(bodyTriangles.length / 3).toLocaleString('en')} triangles`,
    ]
    this.#picker.show(this.#files.title, this.#files.listed, [...facts, backend].join(', '))
  }

  #set(settings: Partial<HapticsSettings>): void {
    if (!this.#settings) return
    const { field } = this.#settings
    Object.assign(this.#settings, settings)
    if (this.#settings.field !== field) this.#clear()
    this.#client.set(settings)
    this.host.remember(writeHapticsView(this.#files?.listed, this.#settings))
  }

  #pause(paused: boolean): void {
    this.#paused = paused
    this.#controls.paused = paused
  }

  #reset(): void {
    if (!this.#opened) return
    this.#stopped = false
    this.#controls.problem = undefined
    this.#clear()
    this.#driver.take(this.#opened.start)
    this.#client.reset()
    this.#pause(false)
  }

  #play(on: boolean): void {
    if (on === this.#playing && this.#frame) return
    this.#playing = on
    this.#controls.path = on
    this.#client.play(on)
    if (on) this.#pause(false)
    else if (this.#frame) this.#driver.take(this.#frame.hand)
  }

  #clear(): void {
    this.#tables.clear()
    this.#mostContacts = 0
    this.#strongestForce = 0
  }

  /** Lets as much time pass in the worker as has passed here. */
  #tick(now: number): void {
    const elapsed = this.#lastTick === undefined ? STEP : (now - this.#lastTick) / 1000
    this.#lastTick = now
    this.#input.poll(Math.min(elapsed, 0.1))
    if (this.#scene.renderer.xr.isPresenting) this.#holdController()
    if (!this.#opened || this.#paused || this.#stopped) {
      // The view can be turned while time stands still.
      this.#scene.render()
      return
    }
    this.#owed = Math.min(this.#owed + elapsed, MOST_STEPS * STEP)
    // Screens of 59.9 pictures a second shall not skip a step now and then.
    const steps = Math.floor(this.#owed / STEP + 0.1)
    if (steps < 1 || !this.#client.free) return
    this.#owed = Math.max(0, this.#owed - steps * STEP)
    this.#client.advance(steps, this.#driver.pose)
  }

  #holdController(): void {
    const grip = this.#scene.renderer.xr.getControllerGrip(0)
    if (!grip.visible) return
    if (grip.parent !== this.#scene.viewer) this.#scene.viewer.add(grip)
    grip.updateWorldMatrix(true, false)
    const [position, rotation] = [new THREE.Vector3(), new THREE.Quaternion()]
    grip.matrixWorld.decompose(position, rotation, new THREE.Vector3())
    this.#driver.hold(position, rotation)
  }

  #show(frame: Frame): void {
    const now = performance.now()
    const seconds = this.#lastPicture === undefined ? STEP : (now - this.#lastPicture) / 1000
    this.#lastPicture = now
    const ended = this.#playing && this.#frame?.pathTime !== undefined && frame.pathTime === undefined
    this.#frame = frame
    this.#frames++
    this.#mostContacts = Math.max(this.#mostContacts, frame.touched.vertices.length)
    this.#strongestForce = Math.max(this.#strongestForce, Math.hypot(...frame.force))
    this.#controls.ownError = frame.ownError
    const drawing = this.#scene.draw(frame, seconds)
    this.#tables.add(frame, seconds, drawing)
    if (ended) {
      this.#pathsPlayed++
      this.#play(false)
    }
  }

  #state(): HapticsState | undefined {
    const [opened, frame, settings] = [this.#opened, this.#frame, this.#settings]
    if (!opened || !frame || !settings) return undefined
    return {
      body: opened.name,
      backend: opened.backend,
      toolLearned: opened.toolLearned,
      settings: { ...settings },
      paused: this.#paused,
      frames: this.#frames,
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
      bodyVertices: [...frame.body],
      toolVertices: [...frame.tool],
    }
  }
}
