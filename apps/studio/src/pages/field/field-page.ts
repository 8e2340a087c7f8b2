/** The field page: an object that bends, its learned and exact distance on a slice, and the error between them. */

import { boxOfPoints } from 'pliant'
import { boxDiagonal } from 'pliant/unstable'
import type { OwnError } from '../../draw/own-error-badge.js'
import { plainContext } from '../../draw/plain-context.js'
import { ObjectOpener } from '../../shell/files/object-opener.js'
import type { ListedEntry } from '../../shell/files/object-picker.js'
import type { MountedPage, PageHost, PageModule } from '../../shell/page.js'
import { PageFrame } from '../../shell/page-frame.js'
import { publishState } from '../../shell/published-state.js'
import type { Route } from '../../shell/route.js'
import { Animation } from './animation.js'
import { paintDistances } from './distance-style.js'
import { FIELD_CODE } from './field-code.js'
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
import { objectFiles, type StudioObject } from './studio-object.js'
import type { StudioState } from './studio-state.js'
import { surfaceErrorColours } from './surface-error.js'
import { TimingTable } from './timing-table.js'
import { readView, type View, writeView } from './view-parameters.js'

import './field.css'

/** At rest once nothing changed for this long [ms]. */
const REST_AFTER_MS = 140
/** Width of the slice's picture in the scene [pixels]. */
const PICTURE_WIDTH = 768
/** Opacity of that picture at the surface and at the edge of the band: the surface behind it stays visible. */
const FADE = [0.6, 0.04] as const

export const mount: PageModule['mount'] = (root, host) => new FieldPage(root, host)

class FieldPage implements MountedPage {
  readonly #opener: ObjectOpener<ListedEntry, StudioObject, View>
  readonly #frame: PageFrame
  readonly #side: SidePanel
  readonly #scene: SceneView
  readonly #controls: SliceControls
  readonly #slices: SlicePanel
  readonly #animation: Animation
  readonly #picture = document.createElement('canvas')
  readonly #unpublish: () => void
  #timing = new TimingTable()
  #opened: OpenedObject | undefined
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
    this.#opener = new ObjectOpener({
      source: objectFiles,
      host,
      onLoaded: (object, view) => this.#put(object, view ?? {}),
    })
    this.#side = new SidePanel({
      onRandom: () => this.#jump((opened) => randomCode(opened.object.artifact.manifest.code)),
      onRest: () => this.#jump((opened) => opened.code.map(() => 0)),
      onAnimate: (on) => this.#animate(on),
    })
    this.#scene = new SceneView({
      onDrag: (at) => this.#move({ axis: this.#plane.axis, at }),
      onTurned: () => this.#remember(),
    })
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
    this.#frame = new PageFrame({
      name: 'field',
      about: {
        seen: 'How far points are from a bar that bends: learned, exact, and the error.',
        hard: 'Hard, because a tree of triangles has to be refitted with every bend.',
        docs: './docs/index.html',
        code: FIELD_CODE,
      },
      help: {
        mouse:
          'Drag to turn \u00b7 wheel to zoom \u00b7 drag the arrows to move the slice \u00b7 keyboard: arrow keys, + and \u2212',
        touch: 'One finger turns \u00b7 two fingers zoom \u00b7 drag the arrows to move the slice',
      },
      picker: this.#opener.picker.root,
      side: this.#side.sections,
      scene: this.#scene.view.root,
      rest: [this.#slices.errors, this.#controls.root, this.#slices.fields],
    })
    root.append(this.#frame.root)
    this.#unpublish = publishState('pliantStudio', () => this.#state())
    const view = readView(host.route.parameters)
    void this.#opener.start(this.#frame, view.object, view)
  }

  show(route: Route): void {
    const view = readView(route.parameters)
    if (!this.#opener.openOther(view.object, view)) this.#apply(view)
  }

  unmount(): void {
    this.#animation.stop()
    cancelAnimationFrame(this.#scheduled)
    clearTimeout(this.#restTimer)
    this.#unpublish()
    for (const part of [this.#opener, this.#scene, this.#slices, this.#opened]) part?.dispose()
  }

  #put(object: StudioObject, view: View): void {
    this.#animate(false)
    const opened = new OpenedObject(object, {
      onSlice: (answer) => this.#showAnswer(opened, answer),
      onTiming: (learnedMs, exactMs) => this.#timing.add(learnedMs, exactMs),
      onFailure: (message) => {
        this.#frame.problem = { message }
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
    const { domain } = artifact.manifest.networks.distance
    this.#side.setObject(opened.sliders.root, this.#timing.root, qualityTable(object), field.network.backend)
    this.#slices.setObject(object, opened.diagonal)
    this.#scene.setObject(opened.positions, artifact.model.triangles, domain)
    const { vertices, triangles } = artifact.manifest.model
    this.#opener.confirm(`${vertices.toLocaleString('en')} vertices, ${triangles.toLocaleString('en')} triangles`)
    this.#frame.progress = undefined
    const axis = view.axis ?? 2
    this.#plane = { axis, at: (domain.lower[axis] + domain.upper[axis]) / 2 }
    this.#apply(view)
  }

  #apply(view: View): void {
    if (!this.#opened) return
    const axis = view.axis ?? this.#plane.axis
    const [lower, upper] = this.#range(axis)
    const at = view.at ?? (axis === this.#plane.axis ? this.#plane.at : (lower + upper) / 2)
    this.#plane = { axis, at: Math.min(upper, Math.max(lower, at)) }
    if (view.view !== undefined) this.#scene.view.place = view.view
    this.#controls.show(this.#plane)
    this.#pose(view.code ?? this.#opened.code)
  }

  #range(axis: Axis): readonly [number, number] {
    const domain = this.#opened?.object.artifact.manifest.networks.distance.domain
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
    const { field } = opened.object
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
    this.#remember()
  }

  #remember(): void {
    if (!this.#opened) return
    const { place } = this.#scene.view
    this.host.remember(writeView(this.#opener.listed, this.#opened.code, this.#plane, place))
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
    const grid = sliceGrid(opened.object.artifact.manifest.networks.distance.domain, this.#plane, 4)
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
