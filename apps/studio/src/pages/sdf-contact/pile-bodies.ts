/** Solids that fall, each made once, and the triangles that they are drawn by. */
import { boxOfPoints, decode, load, type SignedField, surfaceOfTets, TransformedField, type TriangleMesh } from 'pliant'
import { type OrientedBox, orientedBoxes, type Solid, solidOf } from 'pliant/detect'
import { readMeshFile } from 'pliant/files'
import { contourField, fieldOf, shapeOf } from 'pliant/shapes'
import { massProperties } from 'pliant/sim'
import { boxDiagonal, expectKind } from 'pliant/unstable'
import { meshSolid, PILE_SHAPES } from 'pliant/unstable/blocks'
import { FIRST_SHAPE, readOwnShape } from './own-shape.js'
import type { DrawnKind, NamedBytes, PileFiles, Scans } from './pile-protocol.js'

/** Names of the visitor's own bodies: the shape that is written down, and the mesh of a file. */
export const OWN_SHAPE = 'yours'
export const OWN_MESH = 'file'

/** Diagonals of the scanned bodies [m], as large as the others about. */
const SIZES = { bunny: 0.46, armadillo: 0.55, file: 0.5 } as const
/** Nodes of a voxel grid along its longest side: .4 s to sample. */
const VOXELS = 48
/** Cells along the longest side of a shape that is drawn: edges are sharp at any. */
const DRAWN_CELLS = 30
/** Cells along the longest side of a surface that is cut into boxes: by those that it is met by, walls stick out of them. */
const CUT_CELLS = 32

export interface PileBody {
  readonly solid: Solid
  readonly drawn: DrawnKind
}

const BOXES = new WeakMap<PileBody, readonly OrientedBox[]>()

/** Boxes that hold a body's surface: 40 to 300 ms, once for each body. */
export function boxesOf(body: PileBody): readonly OrientedBox[] {
  const { field, box } = body.solid
  const boxes = BOXES.get(body) ?? orientedBoxes(solidOf(field, box, { cells: CUT_CELLS }), { method: 'clusters' })
  BOXES.set(body, boxes)
  return boxes
}

interface Scan {
  readonly mesh: TriangleMesh
  /** Its network, if there is one, in the frame of the mesh. */
  readonly learned?: SignedField
  readonly network?: { dispose(): void }
  /** Made when they are first asked for. */
  readonly bodies: Partial<Record<Scans, PileBody>>
}

export class PileBodies {
  readonly #scans: ReadonlyMap<string, Scan>
  readonly #shapes = new Map<string, PileBody>()
  #own: { text: string; body: PileBody } | undefined
  /** Why the shape of one's own is not the one that was asked for. */
  problem: string | undefined

  private constructor(scans: ReadonlyMap<string, Scan>) {
    this.#scans = scans
  }

  /** @throws Error in one line if a file holds something else */
  static async open({ bunny, armadillo, own }: PileFiles): Promise<PileBodies> {
    const scans = new Map([
      ['bunny', await openBunny(bunny)],
      ['armadillo', await openArmadillo(armadillo)],
    ])
    if (own && !isShape(own)) scans.set(OWN_MESH, await openMesh(own))
    return new PileBodies(scans)
  }

  dispose(): void {
    for (const { network } of this.#scans.values()) network?.dispose()
  }

  /** Names of all that can fall. */
  get kinds(): string[] {
    return [...this.#scans.keys(), ...Object.keys(PILE_SHAPES), OWN_SHAPE]
  }

  /** @param shape  the body of one's own as JSON */
  body(kind: string, scans: Scans, shape: string): PileBody {
    const scan = this.#scans.get(kind)
    if (scan) return scanned(kind, scan, scans)
    if (kind === OWN_SHAPE) return this.#ownBody(shape)
    const made = this.#shapes.get(kind) ?? shapeBody(kind, shapeOf(PILE_SHAPES[kind]))
    this.#shapes.set(kind, made)
    return made
  }

  /** The one that is asked for, or else the last one that could be made. */
  #ownBody(text: string): PileBody {
    this.problem = undefined
    if (this.#own?.text === text) return this.#own.body
    try {
      this.#own = { text, body: shapeBody(OWN_SHAPE, readOwnShape(text)) }
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error)
    }
    this.#own ??= { text: FIRST_SHAPE, body: shapeBody(OWN_SHAPE, readOwnShape(FIRST_SHAPE)) }
    return this.#own.body
  }
}

/** Whether a file of one's own is a shape that is written down, not a mesh. */
export function isShape({ name }: { name: string }): boolean {
  return /\.json$/i.test(name)
}

function shapeBody(name: string, shape: ReturnType<typeof shapeOf>): PileBody {
  const field = fieldOf(shape)
  const solid = surfaced(() => solidOf(field, shape.box))
  // What cannot be weighed cannot fall: better told now than when the pile is made.
  massProperties(field, shape.box, { cells: 16 })
  const { positions, triangles } = contourField(field, shape.box, { cells: DRAWN_CELLS })
  return {
    solid,
    drawn: { name, positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles), hasEdges: true },
  }
}

/** Whoever wrote a shape knows no box and no contour. */
function surfaced<Made>(make: () => Made): Made {
  try {
    return make()
  } catch {
    throw new RangeError(
      'shape: no surface is found in it; make it hold something thicker than a twentieth of its length.',
    )
  }
}

function scanned(name: string, scan: Scan, wanted: Scans): PileBody {
  const scans = scan.learned ? wanted : 'voxels'
  const made = scan.bodies[scans]
  if (made) return made
  const { positions, triangles } = scan.mesh
  const solid =
    scans === 'learned' ? solidOf(scan.learned!, boxOfPoints(positions)) : meshSolid(scan.mesh, { resolution: VOXELS })
  const drawn = { name, positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) }
  const body = { solid, drawn: { ...drawn, hasEdges: false } }
  scan.bodies[scans] = body
  return body
}

async function openBunny(bytes: Uint8Array): Promise<Scan> {
  const artifact = expectKind(await decode(bytes), 'elastic-body', () => wrong('the bunny'))
  const { mesh: tets } = artifact.body
  const { mesh, frame } = centred(surfaceOfTets(tets), SIZES.bunny)
  const field = await load(artifact)
  field.update({ nodes: Float64Array.from(tets.positions) })
  return { mesh, learned: new TransformedField(field, frame), network: field, bodies: {} }
}

async function openArmadillo(bytes: Uint8Array): Promise<Scan> {
  const artifact = expectKind(await decode(bytes), 'linear-modes', () => wrong('the armadillo'))
  const { rest, triangles } = artifact.model
  const { mesh, frame } = centred({ positions: rest, triangles }, SIZES.armadillo)
  const field = await load(artifact)
  return { mesh, learned: new TransformedField(field, frame), network: field, bodies: {} }
}

async function openMesh({ name, bytes }: NamedBytes): Promise<Scan> {
  const file = await readMeshFile(name, bytes)
  if (file.kind === 'gltf')
    throw new Error(`SDF contact: ${name} is a scene; open a closed mesh as .obj, .ply or .stl.`)
  const surface = file.kind === 'tetrahedra' ? surfaceOfTets(file.mesh) : file.mesh
  return { mesh: centred(surface, SIZES.file).mesh, bodies: {} }
}

function wrong(what: string): Error {
  return new Error(`SDF contact: the file of ${what} holds something else; run \`npm run artifacts\`.`)
}

/** The middle of its box at the origin, as large as asked, and the frame that makes it so. */
function centred(
  { positions, triangles }: { positions: ArrayLike<number>; triangles: ArrayLike<number> },
  size: number,
): { mesh: TriangleMesh; frame: number[] } {
  const given = Float64Array.from(positions)
  const box = boxOfPoints(given)
  const scale = size / boxDiagonal(box)
  const middle = box.lower.map((low, k) => (low + box.upper[k]) / 2)
  const [x, y, z] = middle.map((value) => -scale * value)
  return {
    mesh: {
      positions: given.map((value, i) => scale * (value - middle[i % 3])),
      triangles: Uint32Array.from(triangles),
    },
    frame: [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, x, y, z, 1],
  }
}
