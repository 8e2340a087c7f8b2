/**
 * A page that shows a simulation: opens it in a worker, lets as much time pass there as passes here, draws what comes
 * back, keeps settings and camera in the address, and begins again where something failed. What is simulated, how it
 * is drawn and what can be changed is the page's own part.
 */
import type { FileSource } from '../files/object-opener.js'
import { ObjectOpener } from '../files/object-opener.js'
import type { ListedEntry } from '../files/object-picker.js'
import type { MountedPage, PageHost, PageModule } from '../page.js'
import { PageFrame, type PageFrameOptions } from '../page-frame.js'
import { publishState } from '../published-state.js'
import type { Route } from '../route.js'
import type { View3D } from '../view/view-3d.js'
import { OwedTime } from './owed-time.js'
import { type Simulation, STEP } from './protocol.js'
import { type AddressNames, readSettings, writeSettings } from './settings-in-address.js'
import { WorkerClient } from './worker-client.js'

/** What the address calls the place of the camera. */
const VIEW = 'view'

export interface SimulationPageOptions<S extends Simulation, Entry extends ListedEntry> {
  /** Of the page, and of its state on `window`. */
  name: string
  state: keyof Window & `pliant${string}`
  about: PageFrameOptions['about']
  help: PageFrameOptions['help']
  landing?: boolean
  startWorker(): Worker
  source: FileSource<Entry, S['files']>
  address: AddressNames<S['settings']>
  /** A few words on what was opened, beside its name. */
  facts(opened: S['opened']): string
  /** Makes the page's own part; `run` is what it can ask for. */
  build(run: SimulationRun<S>): SimulationParts<S>
}

/** What a page's own part can ask for, and look at. */
export interface SimulationRun<S extends Simulation> {
  readonly host: PageHost
  readonly opened: S['opened'] | undefined
  readonly settings: S['settings'] | undefined
  /** The frame on show. */
  readonly frame: S['frame'] | undefined
  /** Frames shown so far. */
  readonly frames: number
  playing: boolean
  set(settings: Partial<S['settings']>): void
  command(command: S['command']): void
  /** The view was turned. */
  turned(): void
  fail(message: string): void
}

export interface SimulationParts<S extends Simulation> {
  readonly view: View3D
  /** Sections of the side panel. */
  readonly side: readonly HTMLElement[]
  /** Beside or below the scene. */
  readonly rest: readonly HTMLElement[]
  /** Another object is on show. */
  open(opened: S['opened']): void
  /** Settings have changed from outside of the controls. */
  showSettings(settings: S['settings'], opened: S['opened']): void
  showPlaying(playing: boolean): void
  /** What was measured belongs to settings of before. */
  clearFigures(changed: Partial<S['settings']>): void
  /** @param seconds since the frame before */
  show(frame: S['frame'], seconds: number): void
  /** What goes along with the next request for time. @param seconds since the last call */
  input(seconds: number): S['input']
  /** The address asks for something besides settings. */
  readAddress?(parameters: ReadonlyMap<string, string>): void
  /** For tests and for the curious, once something is on show. */
  state(opened: S['opened'], settings: S['settings'], frame: S['frame']): object
  dispose(): void
}

export function simulationPage<S extends Simulation, Entry extends ListedEntry>(
  options: SimulationPageOptions<S, Entry>,
): PageModule['mount'] {
  return (root, host) => new MountedSimulation(root, host, options)
}

class MountedSimulation<S extends Simulation, Entry extends ListedEntry> implements MountedPage, SimulationRun<S> {
  readonly #options: SimulationPageOptions<S, Entry>
  readonly #opener: ObjectOpener<Entry, S['files'], Partial<S['settings']>>
  readonly #parts: SimulationParts<S>
  readonly #page: PageFrame
  readonly #time = new OwedTime(STEP)
  readonly #unpublish: () => void
  #client: WorkerClient<S>
  /** Loaded last, to begin again from. */
  #files: S['files'] | undefined
  #opened: S['opened'] | undefined
  #settings: S['settings'] | undefined
  #frame: S['frame'] | undefined
  #frames = 0
  #playing = true
  /** The simulation has thrown and waits until it is begun again. */
  #stopped = false
  #lastFrame: number | undefined
  /** Settings that were changed while a frame of the old ones was under way. */
  #overtaken: Partial<S['settings']> | undefined

  constructor(
    root: HTMLElement,
    readonly host: PageHost,
    options: SimulationPageOptions<S, Entry>,
  ) {
    this.#options = options
    this.#opener = new ObjectOpener({
      source: options.source,
      host,
      onLoaded: (files, settings) => {
        this.#files = files
        this.#client.open(files, settings ?? {})
      },
    })
    // First what may fail, for want of WebGL: a worker would go on without a page.
    this.#parts = options.build(this)
    this.#client = this.#startClient()
    const { view, side, rest } = this.#parts
    this.#page = new PageFrame({ ...options, picker: this.#opener.picker.root, side, rest, scene: view.root })
    root.append(this.#page.root)
    this.#unpublish = publishState(options.state, () => this.#state())
    const { object, settings } = readSettings(options.address, host.route.parameters)
    view.place = host.route.parameters.get(VIEW)
    this.#parts.readAddress?.(host.route.parameters)
    void this.#opener.start(this.#page, object, settings as Partial<S['settings']>)
    // Not the window's own loop: that one stands still while a headset shows the page.
    view.renderer.setAnimationLoop((now) => this.#tick(now))
  }

  get opened(): S['opened'] | undefined {
    return this.#opened
  }

  get settings(): S['settings'] | undefined {
    return this.#settings
  }

  get frame(): S['frame'] | undefined {
    return this.#frame
  }

  get frames(): number {
    return this.#frames
  }

  get playing(): boolean {
    return this.#playing
  }

  set playing(playing: boolean) {
    this.#playing = playing
    this.#parts.showPlaying(playing)
  }

  set(settings: Partial<S['settings']>): void {
    if (!this.#settings) return
    Object.assign(this.#settings, settings)
    this.#parts.clearFigures(settings)
    if (!this.#client.free) this.#overtaken = { ...this.#overtaken, ...settings }
    this.#client.set(settings)
    this.#remember()
  }

  command(command: S['command']): void {
    if (this.#stopped) this.#startAgain()
    else this.#client.command(command)
  }

  turned(): void {
    this.#remember()
  }

  fail(message: string): void {
    this.#page.problem = { message }
  }

  show({ parameters }: Route): void {
    const { object, settings } = readSettings(this.#options.address, parameters)
    const wanted = settings as Partial<S['settings']>
    this.#parts.view.place = parameters.get(VIEW)
    this.#parts.readAddress?.(parameters)
    if (this.#opener.openOther(object, wanted)) return
    if (!this.#opened || !this.#settings) return
    this.set(wanted)
    this.#parts.showSettings(this.#settings, this.#opened)
  }

  unmount(): void {
    this.#unpublish()
    this.#opener.dispose()
    this.#client.dispose()
    this.#parts.dispose()
    this.#parts.view.dispose()
  }

  #startClient(): WorkerClient<S> {
    return new WorkerClient<S>(this.#options.startWorker(), {
      onOpened: (opened) => this.#put(opened),
      onFrame: (frame) => this.#show(frame),
      onFailure: (message, opening) => {
        if (opening) this.#opener.fail(message)
        else this.#stop(message)
      },
    })
  }

  #put(opened: S['opened']): void {
    this.#opened = opened
    this.#settings = opened.settings as S['settings']
    this.#frame = undefined
    this.#frames = 0
    this.#overtaken = undefined
    this.#stopped = false
    this.#parts.open(opened)
    this.#parts.clearFigures(this.#settings)
    this.#parts.showSettings(this.#settings, opened)
    this.#opener.confirm(this.#options.facts(opened))
  }

  /** The worker may be beyond repair, so that a new one takes its place when people want to go on. */
  #stop(message: string): void {
    this.#stopped = true
    this.#page.progress = undefined
    this.#page.problem = {
      message: `${message} The simulation has stopped.`,
      actions: [{ text: 'Start again', run: () => this.#startAgain() }],
    }
  }

  #startAgain(): void {
    this.#page.problem = undefined
    this.#client.dispose()
    this.#client = this.#startClient()
    if (this.#files) this.#client.open(this.#files, this.#settings ?? {})
  }

  #remember(): void {
    if (!this.#settings) return
    const parameters = writeSettings(this.#options.address, this.#opener.listed, this.#settings)
    const { place } = this.#parts.view
    if (place !== undefined) parameters.set(VIEW, place)
    this.host.remember(parameters)
  }

  /** Lets as much time pass in the worker as has passed here. */
  #tick(now: number): void {
    const seconds = this.#time.elapsed(now)
    const input = this.#parts.input(seconds)
    if (!this.#opened || !this.#playing || this.#stopped) {
      // The view can be turned while time stands still.
      this.#parts.view.render()
      return
    }
    this.#time.add(seconds)
    if (!this.#client.free) return
    const steps = this.#time.take()
    if (steps > 0) this.#client.advance(steps, input)
  }

  #show(frame: S['frame']): void {
    const now = performance.now()
    const seconds = this.#lastFrame === undefined ? STEP : (now - this.#lastFrame) / 1000
    this.#lastFrame = now
    this.#parts.show(frame, seconds)
    // It was asked for before the settings changed: what it measured is none of theirs.
    if (this.#overtaken) this.#parts.clearFigures(this.#overtaken)
    this.#overtaken = undefined
    this.#frame = frame
    this.#frames++
    if (this.#frames === 1) this.#page.progress = undefined
  }

  #state(): object | undefined {
    const [opened, settings, frame] = [this.#opened, this.#settings, this.#frame]
    if (!opened || !settings || !frame) return undefined
    return { ...this.#parts.state(opened, settings, frame), frames: this.#frames, playing: this.#playing }
  }
}
