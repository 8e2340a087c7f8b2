/** The landing page: the dressed character of the Cloth page, its collision switching by itself, and where to go next. */
import { RollingMedian } from '../../measure/rolling-median.js'
import { CodePanel } from '../../shell/code-panel.js'
import { element } from '../../shell/element.js'
import type { Page } from '../../shell/page.js'
import { type SimulationParts, type SimulationRun, simulationPage } from '../../shell/simulation/simulation-page.js'
import { characterFiles } from '../cloth/character-files.js'
import { CLOTH_CODE } from '../cloth/cloth-code.js'
import {
  CLOTH_ADDRESS,
  type ClothSettings,
  type ClothSimulation,
  type Frame,
  type Opened,
} from '../cloth/cloth-protocol.js'
import { ClothScene } from '../cloth/cloth-scene.js'
import { startClothWorker } from '../cloth/start-cloth-worker.js'
import { CollisionTour } from './collision-tour.js'
import type { HomeState } from './home-state.js'
import { TourCaption } from './tour-caption.js'

import './home.css'

const DOCS = './docs/index.html'
/** Steps that the time of one is the median of. */
const STEPS = 30
/** Frames that are shown where people ask for less motion: enough for the cloth to hang. */
const STILL_FRAMES = 12

export const mount = simulationPage({
  name: 'home',
  state: 'pliantHome',
  landing: true,
  about: { seen: '', hard: '', docs: DOCS, code: CLOTH_CODE },
  help: {
    mouse: 'Drag to turn \u00b7 wheel or + and \u2212 to zoom',
    touch: 'One finger turns \u00b7 two fingers zoom',
  },
  startWorker: startClothWorker,
  source: characterFiles,
  address: CLOTH_ADDRESS,
  facts: () => '',
  build: (run: SimulationRun<ClothSimulation>) => new HomeParts(run),
})

class HomeParts implements SimulationParts<ClothSimulation> {
  readonly side: readonly HTMLElement[]
  readonly rest: readonly HTMLElement[]
  readonly #run: SimulationRun<ClothSimulation>
  readonly #scene: ClothScene
  readonly #tour: CollisionTour
  readonly #caption: TourCaption
  #time = new RollingMedian(STEPS)

  constructor(run: SimulationRun<ClothSimulation>) {
    this.#run = run
    this.#scene = new ClothScene(() => run.turned())
    this.#tour = new CollisionTour((collision) => run.set({ collision }))
    this.#caption = new TourCaption({
      onChoose: (collision) => {
        this.#tour.on = false
        run.set({ collision })
      },
      onPlay: (playing) => {
        run.playing = playing
        this.#tour.on = playing
      },
    })
    this.rest = [intro(), this.#caption.root]
    this.side = [links(run.host.others), inYourCode()]
  }

  get view() {
    return this.#scene.view
  }

  open(opened: Opened): void {
    this.#scene.open(opened)
    this.#tour.restart()
  }

  showSettings({ collision }: ClothSettings): void {
    this.#caption.showCollision(collision, 0)
  }

  showPlaying(playing: boolean): void {
    this.#caption.playing = playing
  }

  clearFigures(): void {
    this.#time = new RollingMedian(STEPS)
    this.#caption.showFigures(undefined, undefined)
  }

  show(frame: Frame, seconds: number): void {
    this.#scene.draw(frame, seconds)
    const { pose, queries, cloth, skin } = frame.spent
    this.#time.add(pose + queries + cloth + skin)
    const height = this.#run.opened!.height
    this.#caption.showFigures(frame.penetration && frame.penetration.deepest * height, this.#time.value)
    this.#caption.showCollision(frame.collision, this.#tour.on ? this.#tour.share : undefined)
    this.#tour.frame(seconds, frame.collision)
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (still && this.#tour.on && this.#run.frames === STILL_FRAMES) {
      this.#tour.on = false
      this.#run.playing = false
    }
  }

  input(): undefined {
    return undefined
  }

  state(_opened: Opened, _settings: ClothSettings, frame: Frame): Omit<HomeState, 'frames' | 'playing'> {
    return {
      collision: frame.collision,
      time: frame.time,
      penetration: frame.penetration ?? null,
      touring: this.#tour.on,
    }
  }

  dispose(): void {
    this.#scene.dispose()
  }
}

function intro(): HTMLElement {
  return element(
    'header',
    { class: 'intro', 'data-testid': 'about' },
    element('h1', {}, 'Collision detection for things that bend'),
    element(
      'p',
      {},
      'Pliant learns a small network of your character or soft body, once; from then on cloth, hair and hands know how far they are from it, in any pose, with nothing to rebuild when it moves. TypeScript, in the browser and in Node.',
    ),
  )
}

function links(pages: readonly Page[]): HTMLElement {
  const card = (href: string, title: string, line: string, testId: string): HTMLElement =>
    element(
      'a',
      { class: 'card', href, 'data-testid': testId },
      element('strong', {}, title),
      element('span', {}, line),
    )
  return element(
    'nav',
    { class: 'cards', 'aria-label': 'What to see' },
    ...pages.map(({ name, title, line }) => card(`#/${name}`, title, line, `to-${name}`)),
    card(DOCS, 'Documentation', 'Install, train your own, use it', 'docs-link'),
  )
}

function inYourCode(): HTMLElement {
  return element(
    'section',
    { class: 'in-your-code', 'data-testid': 'code-link' },
    element('h2', {}, 'In your code'),
    new CodePanel(CLOTH_CODE).listing(),
  )
}
