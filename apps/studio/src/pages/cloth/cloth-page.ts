/** The cloth page: a dressed character in motion, the cloth kept outside it by the learned field, by the exact one or not at all. */
import { element } from '../../shell/element.js'
import { ObjectPicker } from '../../shell/object-picker.js'
import type { MountedPage, Page, PageHost } from '../../shell/page.js'
import type { Route } from '../../shell/route.js'
import { ClothClient } from './cloth-client.js'
import { ClothControls } from './cloth-controls.js'
import { readClothView, writeClothView } from './cloth-parameters.js'
import { type ClothSettings, type Frame, type Opened, STEP } from './cloth-protocol.js'
import { ClothScene } from './cloth-scene.js'
import { type ClothState, publishClothState } from './cloth-state.js'
import { FrameTables } from './frame-tables.js'
import { type CharacterFiles, type ListedCharacter, listCharacters, openFiles, openListed } from './studio-character.js'

/** Most steps in one picture: a slower machine shows slow motion instead of falling behind ever further. */
const MOST_STEPS = 3

export const clothPage: Page = {
  name: 'cloth',
  title: 'Cloth',
  mount: (root, host) => new ClothPage(root, host),
}

class ClothPage implements MountedPage {
  readonly #picker: ObjectPicker<ListedCharacter>
  readonly #controls: ClothControls
  readonly #tables = new FrameTables()
  readonly #scene = new ClothScene()
  readonly #client: ClothClient
  readonly #unpublish: () => void
  #listed: ListedCharacter[] = []
  #files: CharacterFiles | undefined
  #opened: Opened | undefined
  #settings: ClothSettings | undefined
  /** Counts openings: a slow one must not replace a later one. */
  #opening = 0
  #playing = true
  #scheduled = 0
  /** Time that has passed and was not simulated yet [s]. */
  #owed = 0
  #lastTick: number | undefined
  #lastPicture: number | undefined
  #frame: Frame | undefined
  #frames = 0

  constructor(
    root: HTMLElement,
    private readonly host: PageHost,
  ) {
    this.#picker = new ObjectPicker<ListedCharacter>({
      accept: '.glb,.safetensors',
      multiple: true,
      hint: 'A .glb that carries its collider, or a .glb and its .safetensors together; or drop them on the page',
      onListed: (listed) => this.#open(() => openListed(listed)),
      onFiles: (files) => this.#open(() => openFiles(files)),
    })
    this.#controls = new ClothControls({
      picker: this.#picker.root,
      onSettings: (settings) => this.#set(settings),
      onPlay: (playing) => this.#play(playing),
      onDress: () => {
        this.#tables.clear()
        this.#client.dress()
      },
    })
    this.#client = new ClothClient({
      onOpened: (opened) => this.#put(opened),
      onDressed: ({ triangles }) => this.#scene.setGarment(triangles),
      onFrame: (frame) => this.#show(frame),
      onFailure: (message) => {
        this.#controls.problem = message
        this.#restorePicker()
      },
    })
    this.#scene.root.append(this.#tables.root)
    root.append(element('div', { class: 'cloth-page' }, this.#controls.root, this.#scene.root))
    this.#unpublish = publishClothState(() => this.#state())
    const view = readClothView(host.route.parameters)
    this.#open(async () => {
      this.#listed = await listCharacters()
      this.#picker.list(this.#listed)
      return openListed(this.#listed.find(({ file }) => file === view.character) ?? this.#listed[0])
    }, view.settings)
    this.#scheduled = requestAnimationFrame((now) => this.#tick(now))
  }

  show(route: Route): void {
    const view = readClothView(route.parameters)
    const other = this.#listed.find(({ file }) => file === view.character)
    if (other && other.file !== this.#files?.listed) this.#open(() => openListed(other), view.settings)
    else if (this.#opened && this.#settings) {
      this.#set(view.settings)
      this.#controls.show({ ...this.#opened, settings: this.#settings })
    }
  }

  unmount(): void {
    this.#opening++
    cancelAnimationFrame(this.#scheduled)
    this.#unpublish()
    this.#picker.dispose()
    this.#client.dispose()
    this.#scene.dispose()
  }

  /** Opens a character; if that fails, the one on show stays and the reason is told. */
  async #open(load: () => Promise<CharacterFiles>, settings: Partial<ClothSettings> = {}): Promise<void> {
    const turn = ++this.#opening
    try {
      const files = await load()
      if (turn !== this.#opening) return
      this.#files = files
      this.#client.open(files.collider, files.rig, settings)
    } catch (error) {
      if (turn !== this.#opening) return
      this.#controls.problem = error instanceof Error ? error.message : String(error)
      this.#restorePicker()
    }
  }

  #put(opened: Opened): void {
    this.#opened = opened
    this.#settings = opened.settings
    this.#frame = undefined
    this.#tables.clear()
    this.#controls.problem = undefined
    this.#controls.show(opened)
    this.#scene.setBody(opened.bodyTriangles, opened.height)
    this.#restorePicker()
  }

  #restorePicker(): void {
    if (!this.#files || !this.#opened) return
    const { bodyTriangles, backend } = this.#opened
    const facts = `${(bodyTriangles.length / 3).toLocaleString('en')} triangles, ${backend}`
    this.#picker.show(this.#files.title, this.#files.listed, facts)
  }

  #set(settings: Partial<ClothSettings>): void {
    if (!this.#settings) return
    const { garment, collision } = this.#settings
    Object.assign(this.#settings, settings)
    if (this.#settings.garment !== garment || this.#settings.collision !== collision) this.#tables.clear()
    this.#client.set(settings)
    this.host.remember(writeClothView(this.#files?.listed, this.#settings))
  }

  #play(playing: boolean): void {
    this.#playing = playing
    this.#controls.playing = playing
  }

  /** Lets as much time pass in the worker as has passed here. */
  #tick(now: number): void {
    this.#scheduled = requestAnimationFrame((next) => this.#tick(next))
    const elapsed = this.#lastTick === undefined ? STEP : (now - this.#lastTick) / 1000
    this.#lastTick = now
    if (!this.#opened || !this.#playing) {
      // The view can be turned while time stands still.
      if (this.#frame) this.#scene.draw(this.#frame, 0)
      return
    }
    this.#owed = Math.min(this.#owed + elapsed, MOST_STEPS * STEP)
    // Screens of 59.9 pictures a second shall not skip a step now and then.
    const steps = Math.floor(this.#owed / STEP + 0.1)
    if (steps < 1 || !this.#client.free) return
    this.#owed = Math.max(0, this.#owed - steps * STEP)
    this.#client.advance(steps)
  }

  #show(frame: Frame): void {
    const now = performance.now()
    const seconds = this.#lastPicture === undefined ? STEP : (now - this.#lastPicture) / 1000
    this.#lastPicture = now
    this.#frame = frame
    this.#frames++
    this.#controls.ownError = frame.ownError
    this.#tables.add(frame, seconds)
    this.#scene.draw(frame, seconds)
  }

  #state(): ClothState | undefined {
    const [opened, frame, settings] = [this.#opened, this.#frame, this.#settings]
    if (!opened || !frame || !settings) return undefined
    return {
      character: opened.name,
      backend: opened.backend,
      settings: { ...settings },
      clips: opened.clips.map((clip) => ({ ...clip })),
      playing: this.#playing,
      clip: frame.clip,
      time: frame.time,
      collision: frame.collision,
      ownError: frame.ownError,
      frames: this.#frames,
      figures: this.#tables.figures,
      penetration: frame.penetration ?? null,
      worstPenetration: this.#tables.worst ?? null,
      cloth: [...frame.cloth],
      rootFrame: [...frame.rootFrame],
    }
  }
}
