/** The paper's Fig. 5 for a trained character: three poses never trained on, level sets and zero set, exact beside learned. */
import type { SkeletonField } from '@pliant/train'
import { boxOfPoints, type SignedField } from 'pliant'
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { drawSlice, sliceField } from './level-sets.js'
import { renderFigure, renderPng } from './page.js'
import { chooseView, type View } from './view.js'
import { drawZeroSet } from './zero-set.js'

/** Width of a slice on the page, pixels and nodes along the height. */
const SLICE_WIDTH = 250
const FINE = { pixels: 420, nodes: 180 }
const COARSE = { pixels: 105, nodes: 60 }

export interface PosedPicturesOptions {
  character: SkinnedCharacter
  poses: readonly SkeletonPose[]
  /** Drawn beside the exact body, under these names. */
  fields: Readonly<Record<string, SkeletonField>>
  /** Coarse pictures. */
  quick?: boolean
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
}

/** @returns HTML, one row of figures a pose and kind of picture */
export async function posedPictures(options: PosedPicturesOptions): Promise<string> {
  const { character, poses, fields } = options
  const { skeleton, triangles, height } = character
  const { pixels, nodes } = options.quick ? COARSE : FINE
  const positions = new Float64Array(3 * character.vertexCount)
  const matrices = new Float64Array(16 * skeleton.jointCount)
  const rows: string[] = []
  for (const [p, pose] of poses.entries()) {
    options.signal?.throwIfAborted()
    character.positionsOfPose(pose, positions)
    skeleton.matrices(pose, matrices)
    const exact = new ExactMeshField({ positions, triangles })
    const view = chooseView(boxOfPoints(positions), height)
    const offset = medianDepth(positions, view)
    const shown: [string, SignedField][] = [['exact', exact]]
    for (const [name, field] of Object.entries(fields)) {
      field.poseSkeleton(pose, matrices)
      shown.push([name, field])
    }
    const solids = shown.map(([name, field]) => {
      const truth = field === exact ? undefined : exact
      const png = drawZeroSet(field, view, height, { rows: pixels, exact: truth })
      return renderFigure(renderPng(png, `zero set, ${name}`), name)
    })
    const slices = shown.map(([name, field]) => {
      const label = `level sets, ${name}`
      return renderFigure(
        drawSlice(sliceField(field, view, offset, nodes), height, { width: SLICE_WIDTH, label }),
        name,
      )
    })
    rows.push(
      `<h3>Pose ${p + 1}</h3><div class="row">${solids.join('')}</div><div class="row">${slices.join('')}</div>`,
    )
    options.onProgress?.((p + 1) / poses.length)
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return rows.join('\n')
}

/** Poses far from each other: the first, then always the one furthest from those that were taken. */
export function pickPoses(character: SkinnedCharacter, poses: readonly SkeletonPose[], count: number): SkeletonPose[] {
  const codes = poses.map((pose) => {
    const code = new Float64Array(character.codeSize)
    character.encodePose(pose, code)
    return code
  })
  const nearest = new Float64Array(poses.length).fill(Number.POSITIVE_INFINITY)
  const picked: SkeletonPose[] = []
  let next = 0
  while (picked.length < Math.min(count, poses.length)) {
    picked.push(poses[next])
    for (const [i, code] of codes.entries()) nearest[i] = Math.min(nearest[i], squaredDistance(code, codes[next]))
    next = nearest.indexOf(Math.max(...nearest))
  }
  return picked
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0)
}

/** The plane goes through the middle of the body's vertices, so that it cuts what there is to be cut. */
function medianDepth(positions: Float64Array, { depth }: View): number {
  const depths = Float64Array.from({ length: positions.length / 3 }, (_, v) => positions[3 * v + depth]).sort()
  return depths[depths.length >> 1]
}
