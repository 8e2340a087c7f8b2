/** Frames that follow pieces on SIMD WebAssembly: tensors packed into one memory, rows in its scratch block. */
import type { Floats } from '../../../math/floats.js'
import { joinedArrays } from '../../../math/joined-arrays.js'
import { Arena } from '../../../math/wasm/arena.js'
import type { Tensors } from '../../network.js'
import { packLayer, type Rows, ScratchPlan, type Step } from '../../wasm/dense-steps.js'
import { type KernelInstance, type SimdOptions, startKernels } from '../../wasm/kernel-instance.js'
import type { Driver } from '../../wasm/kernel-module.js'
import { PANEL, packedRows, packMatrix, padVector, roundUp, transposed } from '../../wasm/pack.js'
import { DENSE } from '../../wasm/records.js'
import type { PieceRows } from '../piece-frames.js'
import { FRAME_SIZE, PIECE_SIZE, type PieceShape } from '../piece-shape.js'
import { linearStep } from './linear-step.js'
import { definePieceKernels, PIECES_PROGRAM } from './piece-kernels.js'

/** @param tensors  checked to be complete; copied */
export async function createSimdPieces(shape: PieceShape, tensors: Tensors, options: SimdOptions): Promise<SimdPieces> {
  const arena = new Arena(options.checkAddresses !== undefined)
  const plan = planPieces(shape, tensors, arena)
  // Whoever asks goes through the rows one by one: there is nothing to share.
  const kernels = { define: definePieceKernels, worthSharing: Number.POSITIVE_INFINITY }
  const { scratchSize } = plan
  return new SimdPieces(plan, await startKernels<Driver>({ ...options, ...kernels, arena, scratchSize }))
}

export class SimdPieces implements PieceRows {
  constructor(
    private readonly plan: PiecesPlan,
    private readonly instance: KernelInstance<Driver>,
  ) {}

  write(codes: ArrayLike<number>, from: number, rows: number, out: Float64Array): void {
    this.#put(codes, from, rows, this.plan.codes)
    this.instance.run(this.plan.there, rows, 0)
    this.#take(this.plan.frames, rows, out, 0)
  }

  pullBack(byFrames: Float64Array, rows: number, out: Floats, to: number): void {
    this.#put(byFrames, 0, rows, this.plan.byFrames)
    this.instance.run(this.plan.back, rows, 0)
    this.#take(this.plan.byCodes, rows, out, to)
  }

  #put(values: ArrayLike<number>, from: number, rows: number, { at, stride, width }: StagedRows): void {
    const { floats, scratches } = this.instance
    for (let row = 0, to = (scratches[0] + at) / 4; row < rows; row++, to += stride / 4) {
      for (let k = 0; k < width; k++) floats[to + k] = values[from++]
    }
  }

  #take({ at, stride, width }: StagedRows, rows: number, out: Floats, to: number): void {
    const { floats, scratches } = this.instance
    for (let row = 0, from = (scratches[0] + at) / 4; row < rows; row++, from += stride / 4) {
      for (let k = 0; k < width; k++) out[to++] = floats[from + k]
    }
  }
}

/** Rows in scratch of which so many numbers count. */
interface StagedRows extends Rows {
  width: number
}

interface PiecesPlan {
  codes: StagedRows
  byCodes: StagedRows
  frames: StagedRows
  byFrames: StagedRows
  /** Programs. */
  there: number
  back: number
  /** Words. */
  scratchSize: number
}

function planPieces({ codeSize, pieces, frames }: PieceShape, tensors: Tensors, arena: Arena): PiecesPlan {
  const plane = roundUp(pieces, 4)
  const [told, width] = [PIECE_SIZE * plane, FRAME_SIZE * frames]
  const [weight, bias] = ['weight', 'bias'].map((name) => tensors.get(`pieces.${name}`)!)
  const toTold = packLayer(
    inPlanes(weight, codeSize, pieces, plane),
    inPlanes(bias, 1, pieces, plane),
    ...([codeSize, told, arena] as const),
  )
  // By rows of frames, whose columns go into planes.
  const byFrame = transposed(tensors.get('frames.weight')!, PIECE_SIZE * pieces, width)
  const back = inPlanes(byFrame, width, pieces, plane)
  const matrices = Array.from({ length: frames }, (_, frame) =>
    packMatrix(back.subarray(FRAME_SIZE * frame * told), FRAME_SIZE, told),
  )
  const toFrames = arena.place(packMatrix(transposed(back, width, told), told, width))
  const scratch = new ScratchPlan()
  const rowsOf = (count: number): StagedRows => ({ ...scratch.rows(roundUp(count, PANEL)), width: count })
  const [codes, byCodes] = [rowsOf(codeSize), rowsOf(codeSize)]
  const [toldRows, turned, byTold] = [rowsOf(told), rowsOf(told), rowsOf(told)]
  const [numbers, byFrames] = [rowsOf(width), rowsOf(width)]
  const zeros = arena.reserve(roundUp(codeSize, PANEL))
  const frameBias = arena.place(padVector(tensors.get('frames.bias')!))
  const place = (step: Step): number => arena.place(DENSE.encode([step]))
  const before = place(linearStep(codes, toldRows, toTold.weight, packedRows(codeSize), told, toTold.bias))
  const after = place(linearStep(turned, numbers, toFrames, told, width, frameBias))
  const toCode = place(linearStep(byTold, byCodes, toTold.transposed, toTold.transposedRows, codeSize, zeros))
  const own = {
    ...{ told: toldRows.at, turned: turned.at, byTold: byTold.at, plane: 4 * plane, stride: toldRows.stride },
    ...{
      byFrames: byFrames.at,
      frameStride: byFrames.stride,
      frames,
      matrices: arena.place(joinedArrays(Float32Array, matrices, (one) => one)),
    },
    ...{ matrixSize: 4 * matrices[0].length, panels: Math.ceil(told / PANEL) },
  }
  return {
    ...{ codes, byCodes, frames: numbers, byFrames },
    there: arena.place(PIECES_PROGRAM.encode([{ ...own, isBack: 0, before, after }])),
    back: arena.place(PIECES_PROGRAM.encode([{ ...own, isBack: 1, before: 0, after: toCode }])),
    scratchSize: scratch.size,
  }
}

/** Rows of nine numbers for each piece to rows of nine planes, padded with zeros. */
function inPlanes(matrix: Float32Array, rows: number, pieces: number, plane: number): Float32Array {
  const out = new Float32Array(rows * PIECE_SIZE * plane)
  for (let row = 0, from = 0; row < rows; row++) {
    for (let piece = 0; piece < pieces; piece++) {
      for (let k = 0; k < PIECE_SIZE; k++) out[(row * PIECE_SIZE + k) * plane + piece] = matrix[from++]
    }
  }
  return out
}
