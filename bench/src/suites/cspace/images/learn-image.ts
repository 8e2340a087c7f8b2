/**
 * Signed distances of binary images, learned from signs alone, by the paper's method and by ours (Cai et al., section 6.2.1
 * and Fig. 6). Exact distances serve to compare with and are never trained on. Settings: docs/notes/self-contact-images.md.
 */
import { createHash } from 'node:crypto'
import {
  CONTACT_DEFAULTS,
  ContactNetwork,
  type ContactOptions,
  type ContactRun,
  contactQuality,
  GapSight,
  graphOfGaps,
  type LearnedContact,
  learnByPaper,
  learnContact,
  PAPER_DEFAULTS,
  type PaperOptions,
} from '@pliant/train/unstable'
import { SIGN_LABELS_DEFAULTS, SignLabels } from '@pliant/train/unstable/label'
import { streamOf } from '@pliant/train/unstable/streams'
import { progressWithin } from 'pliant/unstable'
import type { RunOptions } from '../../../suite/suite.js'
import type { BinaryImage } from './binary-image.js'

/** What is learned by: the numbers of either method. */
export type ImageSettings = { method: 'paper'; options: PaperOptions } | { method: 'ours'; options: ContactOptions }

export interface LearnedImage {
  /** Signs that were asked for, and steps of the optimiser. */
  labels: number
  steps: number
  /** Widths of the hidden layers, and what is between them. */
  hidden: number[]
  activation: string
  /** Identifies image and settings. */
  specHash: string
  /** Uniform points never trained on, which all that follows is of; how many, and the share of them that is drawn. */
  points: number
  touchingShare: number
  signAccuracy: number
  /** Of those within 0.05 of the outline. */
  nearAccuracy: number
  /** Against the exact signed distance. */
  distanceError: { mean: number; max: number }
  /** Mean of | |grad f| - 1 |, and the standard deviation of |grad f| (Eq. 24 to 26). */
  gradientError: number
  gradientSpread: number
  /** Learned distances on a grid over [-1, 1]^2, rows from below, to a thousandth. */
  field: number[][]
}

export interface LearnImageOptions extends RunOptions, Pick<ContactRun, 'checkpointPath' | 'resume' | 'onWarning'> {
  threads?: number
}

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

/** Along a side of the field: 0.02 apart, 80 kB as text. */
export const FIELD_NODES = 101
const POINTS = 50_000
const QUICK_POINTS = 5000
const NEAR = 0.05

/** Share of the progress that learning takes. */
const LEARNING = 0.98

/** Sums are split over as many threads, on every machine; networks as small as these gain nothing from a second. */
const THREADS = 1

const SEED = 1
const BOX = { lower: Float64Array.of(-1, -1), upper: Float64Array.of(1, 1) }

/** Normals of pixels are taken over so many of them: of a single one they would point along the axes. */
const PIXELS_AROUND = 2

/** @param network  another than the method's own, of ReLU units */
export function imageSettings(
  method: ImageSettings['method'],
  quick = false,
  network?: { layers: number; width: number },
): ImageSettings {
  const hidden = network && new Array<number>(network.layers).fill(network.width)
  return method === 'paper'
    ? { method, options: { ...PAPER_DEFAULTS, ...(quick && QUICK_PAPER), ...(hidden && { hidden }) } }
    : { method, options: { ...OUR_IMAGES, ...(quick && QUICK_OURS), ...(hidden && { hidden, activation: 'relu' }) } }
}

/** @throws BadInput if an image is too small to be met by any of the first points */
export async function learnImage(
  image: BinaryImage,
  settings: ImageSettings,
  { quick = false, threads = THREADS, onProgress, ...resumable }: LearnImageOptions = {},
): Promise<LearnedImage> {
  const specHash = hashImage(image, settings)
  const run = { ...resumable, seed: SEED, specHash, threads, onProgress: progressWithin(onProgress, 0, LEARNING) }
  const learned =
    settings.method === 'paper'
      ? await learnByPaper(labelsOf(image), settings.options, run)
      : await learnContact(labelsOf(image), new GapSight(2, undefined, settings.options), settings.options, run)
  const points = uniformPoints(quick ? QUICK_POINTS : POINTS)
  onProgress?.({ fraction: LEARNING, stage: 'evaluate', detail: `${points.length / 2} unseen points` })
  const { labels, steps, shape } = learned
  const { hidden, activation } = shape
  return { labels, steps, hidden: [...hidden], activation, specHash, ...(await judge(image, learned, points)) }
}

/** Exact distances on the grid of a field. */
export function exactField(image: BinaryImage): number[][] {
  return roundedRows(exactAt(image, gridPoints()))
}

function hashImage(image: BinaryImage, settings: ImageSettings): string {
  const text = JSON.stringify({ ...settings, field: exactField(image) })
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

function labelsOf({ isFree, pixel }: BinaryImage): SignLabels {
  const around = Math.max(SIGN_LABELS_DEFAULTS.around, PIXELS_AROUND * pixel)
  return new SignLabels(2, BOX, (code) => isFree(code[0], code[1]), { around })
}

async function judge(
  image: BinaryImage,
  { shape, weights }: Pick<LearnedContact<never>, 'shape' | 'weights'>,
  points: Float32Array,
): Promise<Omit<LearnedImage, 'labels' | 'steps' | 'hidden' | 'activation' | 'specHash'>> {
  const network = await ContactNetwork.create(graphOfGaps(shape), THREADS)
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
      points: exact.length,
      touchingShare: exact.filter((distance) => distance < 0).length / exact.length,
      signAccuracy: quality.signAccuracy,
      nearAccuracy: right.length / near.length,
      distanceError: { mean, max },
      gradientError: quality.gradientError,
      gradientSpread: quality.gradientSpread,
      field: roundedRows(await network.valuesAt(weights, gridPoints())),
    }
  } finally {
    await network.dispose()
  }
}

function uniformPoints(count: number): Float32Array {
  const random = streamOf('evaluationContactCodes', SEED)
  return Float32Array.from({ length: 2 * count }, () => random.between(-1, 1))
}

function gridPoints(): Float32Array {
  const at = (i: number): number => (2 * i) / (FIELD_NODES - 1) - 1
  return Float32Array.from({ length: 2 * FIELD_NODES * FIELD_NODES }, (_, i) => {
    const node = i >> 1
    return at(i % 2 === 0 ? node % FIELD_NODES : Math.floor(node / FIELD_NODES))
  })
}

function exactAt(image: BinaryImage, points: Float32Array): Float64Array {
  return Float64Array.from({ length: points.length / 2 }, (_, i) => image.distance(points[2 * i], points[2 * i + 1]))
}

function roundedRows(distances: ArrayLike<number>): number[][] {
  const rounded = Array.from(distances, (distance) => Number(distance.toFixed(3)))
  return Array.from({ length: FIELD_NODES }, (_, row) => rounded.slice(row * FIELD_NODES, (row + 1) * FIELD_NODES))
}
