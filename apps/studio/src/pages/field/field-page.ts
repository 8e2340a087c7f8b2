/** The field page: an object that bends, its learned and exact distance on a slice, and the error between them. */
import { boxDiagonal, boxOfPoints } from 'pliant'
import type { OwnError } from '../../draw/own-error-badge.js'
import { plainContext } from '../../draw/plain-context.js'
import { element } from '../../shell/element.js'
import { ObjectPicker } from '../../shell/object-picker.js'
import type { MountedPage, Page, PageHost } from '../../shell/page.js'
import type { Route } from '../../shell/route.js'
import { Animation } from './animation.js'
import { paintDistances } from './distance-style.js'
import type { SliceAnswer } from './field-protocol.js'
import type { LearnedSlice } from './learned-slice.js'
import { codeInMotion, randomCode } from './motion.js'
import { OpenedObject } from './opened-object.js'
import { qualityTable } from './quality-table.js'
import { SceneView } from './scene-view.js'
import { SidePanel } from './side-panel.js'
import { SliceControls, type SurfaceColour } from './slice-controls.js'
import { SlicePanel } from './slice-panel.js'
import { AXIS_NAMES, type Axis, pointOnSlice, type SlicePlane, sliceGrid } from './slice-plane.js'
import type { SlicePlace } from './slice-view.js'
import { type ListedObject, listObjects, openListed, openObject, type StudioObject } from './studio-object.js'
import { publishState, type StudioState } from './studio-state.js'
import { surfaceErrorColours } from './surface-error.js'
import { TimingTable } from './timing-table.js'
import { readView, type View, writeView } from './view-parameters.js'

/** At rest once nothing changed for this long [ms]. */
const REST_AFTER_MS = 140
/** Width of the slice's picture in the scene [pixels]. */
const PICTURE_WIDTH = 768
/** Opacity of that picture at the surface and at the edge of the band: the surface behind it stays visible. */
const FADE = [0.6, 0.04] as const

export const fieldPage: Page = {
  name: 'field',
  title: 'Field',
  mount: (root, host) => new FieldPage(root, host),
}

class FieldPage implements MountedPage {
  readonly #picker: ObjectPicker<ListedObject>
  readonly #side: SidePanel
  readonly #scene: SceneView
  readonly #controls: SliceControls
  readonly #slices: SlicePanel
  readonly #animation: Animation
  readonly #picture = document.createElement('canvas')
  readonly #unpublish: () => void
  #timing = new TimingTable()
  #listed: ListedObject[] = []
  #opened: OpenedObject | undefined
  /** Counts openings: a slow one must not replace a later one. */
  #opening = 0
  #plane: SlicePlane = { axis: 2, at: 0 }
  #surfaceColour: SurfaceColour = 'plain'
  #place: SlicePlace | undefined
  #motionStart: number[] = []
  #scheduled = 0
  /** Something changed that the worker has not been asked about. */
  #unasked = false
  #restTimer: ReturnType<typeof setTimeout> | undefined

  constructor(
    root: HTMLElement,
    private readonly host: PageHost,
  ) {
    this.#picker = new ObjectPicker({
      accept: '.safetensors',
      hint: 'Or drop a .safetensors file on the page',
      onListed: (listed) => this.#open(() => openListed(listed)),
      onFiles: ([file]) =>
        this.#open(async () => openObject(new Uint8Array(await file.arrayBuffer()), file.name), {}, file.name),
    })
    this.#side = new SidePanel({
      picker: this.#picker.root,
      onRandom: () => this.#jump((opened) => randomCode(opened.object.artifact.manifest.code)),
      onRest: () => this.#jump((opened) => opened.code.map(() => 0)),
      onAnimate: (on) => this.#animate(on),
    })
    this.#scene = new SceneView({ onDrag: (at) => this.#move({ axis: this.#plane.axis, at }) })
    this.#controls = new SliceControls({
      onPlane: (plane) => this.#move(plane),
      onCutAway: (on) => {
        this.#scene.cutAway = on
      },
      onSurfaceColour: (colour) => {
        this.#surfaceColour = colour
        this.#changed()
      },
      range: (axis) => this.#range(axis),
    })
    this.#slices = new SlicePanel((place) => this.#point(place))
    this.#animation = new Animation((seconds) => this.#step(seconds))
    root.append(
      element(
        'div',
        { class: 'field-page' },
        this.#side.root,
        element(
          'div',
          { class: 'stage' },
          this.#scene.root,
          this.#slices.errors,
          this.#controls.root,
          this.#slices.fields,
        ),
      ),
    )
    this.#unpublish = publishState(() => this.#state())
    const view = readView(host.route.parameters)
    this.#open(async () => {
      this.#listed = await listObjects()
      this.#picker.list(this.#listed)
      return openListed(this.#listed.find(({ file }) => file === view.object) ?? this.#listed[0])
    }, view)
  }

  show(route: Route): void {
    const view = readView(route.parameters)
    const other = this.#listed.find(({ file }) => file === view.object)
    if (other && other.file !== this.#opened?.object.listed) this.#open(() => openListed(other), view)
    else this.#apply(view)
  }

  unmount(): void {
    this.#opening++
    this.#animation.stop()
    cancelAnimationFrame(this.#scheduled)
    clearTimeout(this.#restTimer)
    this.#unpublish()
    for (const part of [this.#picker, this.#scene, this.#slices, this.#opened]) part?.dispose()
  }

  /** Opens an object; if that fails, the one on show stays and the reason is told. */
  async #open(load: () => Promise<StudioObject>, view: View = {}, fileName?: string): Promise<void> {
    const turn = ++this.#opening
    try {
      const object = await load()
      if (turn !== this.#opening) {
        object.field.dispose()
        return
      }
      this.#put(object, view)
      this.#side.problem = undefined
    } catch (error) {
      if (turn !== this.#opening) return
      const reason = error instanceof Error ? error.message : String(error)
      this.#side.problem = fileName ? `${fileName} cannot be opened. ${reason}` : reason
      this.#restorePicker()
    }
  }

  #put(object: StudioObject, view: View): void {
    this.#animate(false)
    const opened = new OpenedObject(object, {
      onSlice: (answer) => this.#showAnswer(opened, answer),
      onTiming: (learnedMs, exactMs) => this.#timing.add(learnedMs, exactMs),
      onFailure: (message) => {
        this.#side.problem = message
      },
      onCode: (code) => {
        this.#animate(false)
        this.#pose(code)
      },
    })
    this.#opened?.dispose()
    this.#opened = opened
    this.#timing = new TimingTable()
    const { artifact, field } = object
    const { domain } = artifact.manifest
    this.#side.setObject(opened.sliders.root, this.#timing.root, qualityTable(artifact), field.network.backend)
    this.#slices.setObject(object, opened.diagonal)
    this.#scene.setObject(opened.positions, artifact.model.triangles, domain)
    this.#restorePicker()
    const axis = view.axis ?? 2
    this.#plane = { axis, at: (domain.lower[axis] + domain.upper[axis]) / 2 }
    this.#apply(view)
  }

  #restorePicker(): void {
    if (!this.#opened) return
    const { title, listed, artifact } = this.#opened.object
    const { vertices, triangles } = artifact.manifest.model
    const facts = `${vertices.toLocaleString('en')} vertices, ${triangles.toLocaleString('en')} triangles`
    this.#picker.show(title, listed, facts)
  }

  #apply(view: View): void {
    if (!this.#opened) return
    const axis = view.axis ?? this.#plane.axis
    const [lower, upper] = this.#range(axis)
    const at = view.at ?? (axis === this.#plane.axis ? this.#plane.at : (lower + upper) / 2)
    this.#plane = { axis, at: Math.min(upper, Math.max(lower, at)) }
    this.#controls.show(this.#plane)
    this.#pose(view.code ?? this.#opened.code)
  }

  #range(axis: Axis): readonly [number, number] {
    const domain = this.#opened?.object.artifact.manifest.domain
    return domain ? [domain.lower[axis], domain.upper[axis]] : [0, 1]
  }

  #jump(choose: (opened: OpenedObject) => ArrayLike<number>): void {
    this.#animate(false)
    if (this.#opened) this.#pose(choose(this.#opened))
  }

  #pose(code: ArrayLike<number>): void {
    this.#opened?.setCode(code)
    this.#opened?.sliders.show(this.#opened.code)
    this.#changed()
  }

  #move(plane: SlicePlane): void {
    this.#plane = plane
    this.#controls.show(plane)
    this.#changed()
  }

  #animate(on: boolean): void {
    this.#side.animating = on
    if (!on) {
      this.#animation.stop()
      return
    }
    this.#motionStart = [...(this.#opened?.code ?? [])]
    this.#animation.start(matchMedia('(prefers-reduced-motion: reduce)').matches)
  }

  #step(seconds: number): void {
    if (this.#opened) this.#pose(codeInMotion(this.#opened.object.artifact.manifest.code, this.#motionStart, seconds))
  }

  /** Draws in the next frame, and once more in full when nothing has changed for a while. */
  #changed(): void {
    if (this.#opened?.answer) this.#opened.answer.settled = false
    this.#unasked = true
    this.#scheduled ||= requestAnimationFrame(() => {
      this.#scheduled = 0
      this.#draw(true)
    })
    clearTimeout(this.#restTimer)
    this.#restTimer = setTimeout(() => {
      this.#restTimer = undefined
      // On a slow machine the frame may still be due; this one takes its place.
      cancelAnimationFrame(this.#scheduled)
      this.#scheduled = 0
      this.#draw(false)
    }, REST_AFTER_MS)
  }

  #draw(inMotion: boolean): void {
    const opened = this.#opened
    if (!opened) return
    opened.pose()
    const { field, listed } = opened.object
    const slice = opened.slicer.slice(this.#plane, inMotion)
    this.#slices.showLearned(slice.grid, slice.values)
    this.#scene.setPositions(opened.positions)
    this.#scene.setColours(
      this.#surfaceColour === 'error'
        ? surfaceErrorColours(field, opened.positions, this.#slices.errorScale)
        : undefined,
    )
    this.#drawPicture(slice)
    this.#side.ownError = this.#ownError(opened)
    this.#point(this.#place)
    // Asking twice for the same would throw the first one's fine answer away.
    if (this.#unasked) opened.client.ask(opened.code, this.#plane)
    this.#unasked = false
    this.host.remember(writeView(listed, opened.code, this.#plane))
  }

  #drawPicture({ grid, values }: LearnedSlice): void {
    const picture = this.#picture
    const aspect = (grid.upper[1] - grid.lower[1]) / (grid.upper[0] - grid.lower[0])
    const context = plainContext(picture)
    const into = { x: 0, y: 0, width: PICTURE_WIDTH, height: Math.max(1, Math.round(PICTURE_WIDTH * aspect)) }
    if (picture.height !== into.height) Object.assign(picture, { width: into.width, height: into.height })
    context.clearRect(0, 0, into.width, into.height)
    paintDistances(context, { values, width: grid.width, height: grid.height }, this.#slices.style, into, 1.5, FADE)
    this.#scene.setSlice(grid, picture)
  }

  #showAnswer(opened: OpenedObject, answer: SliceAnswer): void {
    if (opened !== this.#opened) return
    const { mean, max, points } = this.#slices.showAnswer(answer)
    opened.answer = {
      settled: answer.level === 'fine' && opened.client.isNewest(answer) && this.#scheduled === 0,
      error: { mean, max, points },
      learnedMean: meanOf(answer.learned),
      exactMean: meanOf(answer.exact),
    }
  }

  #point(place: SlicePlace | undefined): void {
    this.#place = place
    this.#slices.place = place
    const opened = this.#opened
    if (!place || !opened) {
      this.#slices.reading = undefined
      return
    }
    const grid = sliceGrid(opened.object.artifact.manifest.domain, this.#plane, 4)
    this.#slices.reading = opened.probe.read(pointOnSlice(grid, ...place), opened.positions)
  }

  #ownError({ object: { artifact, field } }: OpenedObject): OwnError {
    const size = boxDiagonal(boxOfPoints(artifact.model.rest))
    return { expected: field.expectedError / size, trusted: field.trusted }
  }

  #state(): StudioState | undefined {
    const opened = this.#opened
    if (!opened) return undefined
    const { title, artifact, field } = opened.object
    const { quality } = artifact.manifest
    const { settled = false, ...shown } = opened.answer ?? {
      error: { mean: Number.NaN, max: Number.NaN, points: 0 },
      learnedMean: Number.NaN,
      exactMean: Number.NaN,
    }
    return {
      settled: settled && this.#restTimer === undefined,
      object: title,
      backend: field.network.backend,
      code: [...opened.code],
      ownError: this.#ownError(opened),
      slice: { axis: AXIS_NAMES[this.#plane.axis], at: this.#plane.at, ...shown },
      vertices: [...opened.positions],
      timings: this.#timing.medians,
      quality: quality && { meanError: quality.bandError.mean, p99Error: quality.bandError.p99 },
    }
  }
}

function meanOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
