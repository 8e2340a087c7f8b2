/**
 * Signed distances of binary images, learned from signs alone, by the paper's method and by ours (Cai et al., section 6.2.1
 * and Fig. 6). Exact distances serve to compare with and are never trained on. Settings: docs/notes/self-contact-images.md.
 */
import {
  CONTACT_DEFAULTS,
  ContactNetwork,
  type ContactOptions,
  contactQuality,
  type LearnedContact,
  learnByPaper,
  learnContact,
  PAPER_DEFAULTS,
  type PaperOptions,
} from '@pliant/train/unstable'
import { SIGN_LABELS_DEFAULTS, SignLabels } from '@pliant/train/unstable/label'
import { streamOf } from '@pliant/train/unstable/streams'
import { type OnProgress, progressWithin } from 'pliant/unstable'
import type { RunOptions } from '../../../suite/suite.js'
import type { BinaryImage } from './binary-image.js'
import { mapleLeaf, pear } from './drawn-images.js'

export type ImageMethod = 'paper' | 'ours'

export interface ImageRow {
  name: string
  method: ImageMethod
  /** Signs that were asked for. */
  labels: number
  /** Of uniform points never trained on, and of those of them within 0.05 of the outline. */
  signAccuracy: number
  nearAccuracy: number
  /** Against the exact signed distance. */
  distanceError: { mean: number; max: number }
  /** Mean of | |grad f| - 1 |, and the standard deviation of |grad f| (Eq. 24 to 26). */
  gradientError: number
  gradientSpread: number
  /** Learned distances on a grid over [-1, 1]^2, rows from below, to a thousandth. */
  field: number[]
}

export interface ImageResult {
  name: string
  /** Nodes along a side of the grid. */
  nodes: number
  /** Exact distances there. */
  exact: number[]
  rows: ImageRow[]
}

export interface LearnImagesOptions extends RunOptions {
  /** Default: those drawn in code. */
  images?: readonly BinaryImage[]
  paper?: Partial<PaperOptions>
  ours?: Partial<ContactOptions>
  seed?: number
}

/** The paper's own sizes. */
export const PAPER_IMAGES: PaperOptions = PAPER_DEFAULTS

/** What fits two dimensions: a boundary that is a line needs few labels, but sharp features need a network that can bend. */
export const OUR_IMAGES: ContactOptions = {
  ...CONTACT_DEFAULTS,
  labels: 120_000,
  rounds: 4,
  steps: 6000,
  lastShare: 0.6,
  learningRate: 1e-2,
  hidden: [64, 64, 64, 64],
  gaps: 0,
  detail: 4,
  span: 0.02,
  batch: 1024,
  distanceWeight: 10,
  distances: 40_000,
}

/** A first look in seconds. */
const QUICK_PAPER: Partial<PaperOptions> = { iterations: [20, 20], pool: 5000, eikonal: 1000 }
const QUICK_OURS: Partial<ContactOptions> = { labels: 20_000, rounds: 2, steps: 400, batch: 1024, distances: 5000 }

const NODES = 129
const POINTS = 50_000
const QUICK_POINTS = 5000
const NEAR = 0.05

/** Sums are split over as many threads, on every machine; networks as small as these gain nothing from a second. */
const THREADS = 1

const SEED = 1
const BOX = { lower: Float64Array.of(-1, -1), upper: Float64Array.of(1, 1) }

/** Normals of pixels are taken over so many of them: of a single one they would point along the axes. */
const PIXELS_AROUND = 2

/** @throws BadInput if an image is too small to be met by any of the first points */
export async function learnImages(options: LearnImagesOptions = {}): Promise<ImageResult[]> {
  const { images = [pear(), mapleLeaf()], quick = false, seed = SEED, signal, onProgress } = options
  const paper = { ...PAPER_IMAGES, ...(quick && QUICK_PAPER), ...options.paper }
  const ours = { ...OUR_IMAGES, ...(quick && QUICK_OURS), ...options.ours }
  const results: ImageResult[] = []
  for (const [i, image] of images.entries()) {
    const part = (method: number): OnProgress =>
      progressWithin(onProgress, (2 * i + method) / (2 * images.length), (2 * i + method + 1) / (2 * images.length))
    const run = (method: number) => ({ seed, specHash: image.name, threads: THREADS, signal, onProgress: part(method) })
    const byPaper = await learnByPaper(labelsOf(image), paper, run(0))
    const byUs = await learnContact(labelsOf(image), undefined, ours, run(1))
    const points = uniformPoints(quick ? QUICK_POINTS : POINTS, seed)
    results.push({
      name: image.name,
      nodes: NODES,
      exact: rounded(exactAt(image, gridPoints())),
      rows: [
        { name: image.name, method: 'paper', ...(await judge(image, byPaper, points)) },
        { name: image.name, method: 'ours', ...(await judge(image, byUs, points)) },
      ],
    })
  }
  return results
}

export function labelsOf({ isFree, pixel }: BinaryImage): SignLabels {
  const around = Math.max(SIGN_LABELS_DEFAULTS.around, PIXELS_AROUND * pixel)
  return new SignLabels(2, BOX, (code) => isFree(code[0], code[1]), { around })
}

export async function judge(
  image: BinaryImage,
  { shape, weights, labels }: Pick<LearnedContact<never>, 'shape' | 'weights' | 'labels'>,
  points: Float32Array,
): Promise<Omit<ImageRow, 'name' | 'method'>> {
  const network = await ContactNetwork.create(shape, THREADS)
  try {
    const { values, gradients } = await network.gradientsAt(weights, points)
    const exact = exactAt(image, points)
    const quality = contactQuality({
      distances: Float64Array.from(values),
      gradients: Float64Array.from(gradients),
      signs: Int8Array.from(exact, Math.sign),
      reference: exact.map(Math.abs),
    })
    const near = [...exact.keys()].filter((i) => Math.abs(exact[i]) < NEAR)
    const right = near.filter((i) => values[i] < 0 === exact[i] < 0)
    const { mean, max } = quality.distanceError!
    return {
      labels,
      signAccuracy: quality.signAccuracy,
      nearAccuracy: right.length / near.length,
      distanceError: { mean, max },
      gradientError: quality.gradientError,
      gradientSpread: quality.gradientSpread,
      field: rounded(await network.valuesAt(weights, gridPoints())),
    }
  } finally {
    await network.dispose()
  }
}

export function uniformPoints(count: number, seed: number): Float32Array {
  const random = streamOf('evaluationContactCodes', seed)
  return Float32Array.from({ length: 2 * count }, () => random.between(-1, 1))
}

function gridPoints(): Float32Array {
  const at = (i: number): number => (2 * i) / (NODES - 1) - 1
  return Float32Array.from({ length: 2 * NODES * NODES }, (_, i) => {
    const node = i >> 1
    return at(i % 2 === 0 ? node % NODES : Math.floor(node / NODES))
  })
}

function exactAt(image: BinaryImage, points: Float32Array): Float64Array {
  return Float64Array.from({ length: points.length / 2 }, (_, i) => image.distance(points[2 * i], points[2 * i + 1]))
}

function rounded(distances: ArrayLike<number>): number[] {
  return Array.from(distances, (distance) => Math.round(1000 * distance) / 1000)
}
