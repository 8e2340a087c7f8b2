/** The Cloth page: a dressed character in motion, the cloth kept outside it by the learned field, by the exact one or not at all. */
import { type SimulationParts, type SimulationRun, simulationPage } from '../../shell/simulation/simulation-page.js'
import type { View3D } from '../../shell/view/view-3d.js'
import { characterFiles } from './character-files.js'
import { CLOTH_CODE } from './cloth-code.js'
import { ClothControls } from './cloth-controls.js'
import { CLOTH_ADDRESS, type ClothSettings, type ClothSimulation, type Frame, type Opened } from './cloth-protocol.js'
import { ClothScene } from './cloth-scene.js'
import type { ClothState } from './cloth-state.js'
import { ClothTables } from './cloth-tables.js'
import { startClothWorker } from './start-cloth-worker.js'

export const mount = simulationPage({
  name: 'cloth',
  state: 'pliantCloth',
  about: {
    seen: 'Cloth on a dancing character, in a clip it was never trained on.',
    hard: 'Hard, because the body bends everywhere in every frame, and all of the cloth must stay outside.',
    docs: './docs/cloth.html',
    code: CLOTH_CODE,
  },
  help: {
    mouse: 'Drag to turn \u00b7 wheel to zoom \u00b7 keyboard: arrow keys turn, + and \u2212 zoom',
    touch: 'One finger turns \u00b7 two fingers zoom',
  },
  startWorker: startClothWorker,
  source: characterFiles,
  address: CLOTH_ADDRESS,
  facts: characterFacts,
  build: (run: SimulationRun<ClothSimulation>) => new ClothParts(run),
})

class ClothParts implements SimulationParts<ClothSimulation> {
  readonly #controls: ClothControls
  readonly #tables = new ClothTables()
  readonly #scene: ClothScene
  readonly view: View3D
  readonly side: readonly HTMLElement[]
  readonly rest = [this.#tables.root]

  constructor(run: SimulationRun<ClothSimulation>) {
    this.#controls = new ClothControls(run)
    this.#scene = new ClothScene(() => run.turned())
    this.view = this.#scene.view
    this.side = this.#controls.sections
  }

  open(opened: Opened): void {
    this.#scene.open(opened)
  }

  showSettings(settings: ClothSettings, opened: Opened): void {
    this.#controls.show(settings, opened)
  }

  showPlaying(playing: boolean): void {
    this.#controls.playing = playing
  }

  clearFigures({ garment, collision }: Partial<ClothSettings>): void {
    if (garment !== undefined || collision !== undefined) this.#tables.clear()
  }

  show(frame: Frame, seconds: number): void {
    this.#controls.ownError = frame.ownError
    this.#tables.add(frame, seconds, this.#scene.draw(frame, seconds))
  }

  input(): undefined {
    return undefined
  }

  state(opened: Opened, settings: ClothSettings, frame: Frame): Omit<ClothState, 'frames' | 'playing'> {
    return clothState(opened, settings, frame, this.#tables)
  }

  dispose(): void {
    this.#scene.dispose()
  }
}

/** What was opened, in a few words. */
function characterFacts({ bodyTriangles, backend }: Opened): string {
  return `${(bodyTriangles.length / 3).toLocaleString('en')} triangles, ${backend}`
}

function clothState(
  opened: Opened,
  settings: ClothSettings,
  frame: Frame,
  tables: ClothTables,
): Omit<ClothState, 'frames' | 'playing'> {
  return {
    character: opened.name,
    backend: opened.backend,
    settings: { ...settings },
    clips: opened.clips.map((clip) => ({ ...clip })),
    clip: frame.clip,
    time: frame.time,
    collision: frame.collision,
    ownError: frame.ownError,
    figures: tables.figures,
    penetration: frame.penetration ?? null,
    worstPenetration: tables.worst ?? null,
    cloth: [...frame.vertices.cloth],
    rootFrame: [...frame.rootFrame],
  }
}
