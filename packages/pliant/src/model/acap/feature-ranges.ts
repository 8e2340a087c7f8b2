/**
 * ACAP features to numbers in [-0.95, 0.95], as networks with tanh at their end can give them, and back.
 * Affine, between the least and the largest value of a channel over all vertices of all shapes, widened by 1e-6.
 * Each of the nine channels has its own range, as S is near 1 on its diagonal and near 0 beside it; published is one range
 * for all three of the rotation and one for all six of the stretch (`grouping: 'paper'`).
 */
import type { Floats } from '../../math/floats.js'
import { requireFinite } from '../../math/require.js'
import { oneOf, settingsOf } from '../../math/settings.js'
import { ACAP_CHANNELS, ACAP_ROTATION_CHANNELS } from './channels.js'

export interface FeatureRangesOptions {
  /** Which channels share a range: none, or as in the paper those of the rotation and those of the stretch. */
  grouping?: 'channel' | 'paper'
}
export const FEATURE_RANGES_DEFAULTS = { grouping: 'channel' } as const

/** Plain data, to be stored with what was trained on it: nine numbers each. */
export interface FeatureRanges {
  /** Middle of each channel's range. */
  middle: Float64Array
  /** Half of the range over 0.95; features are `middle + scale * number`. */
  scale: Float64Array
}

/** The ends of a range become these. */
const END = 0.95
const WIDENING = 1e-6

/**
 * @param shapes  features of each shape, nine per vertex
 * @throws RangeError if there are none, or one is not finite
 */
export function featureRanges(shapes: Iterable<Floats>, options: FeatureRangesOptions = {}): FeatureRanges {
  const { grouping } = settingsOf<Required<FeatureRangesOptions>>('acap ranges', options, FEATURE_RANGES_DEFAULTS, {
    grouping: oneOf('channel', 'paper'),
  })
  const least = new Float64Array(ACAP_CHANNELS).fill(Number.POSITIVE_INFINITY)
  const most = new Float64Array(ACAP_CHANNELS).fill(Number.NEGATIVE_INFINITY)
  const groupOf = (channel: number): number => {
    if (grouping === 'channel') return channel
    return channel < ACAP_ROTATION_CHANNELS ? 0 : ACAP_ROTATION_CHANNELS
  }
  const groups = Array.from(least, (_, channel) => groupOf(channel))
  for (const features of shapes) {
    requireFinite('acap ranges', features, 'vertex', ACAP_CHANNELS)
    for (let i = 0; i < features.length; i++) {
      const group = groups[i % ACAP_CHANNELS]
      if (features[i] < least[group]) least[group] = features[i]
      if (features[i] > most[group]) most[group] = features[i]
    }
  }
  if (least[0] > most[0]) throw new RangeError('acap ranges: there is no shape; give the features of some.')
  return {
    middle: Float64Array.from(groups, (group) => (least[group] + most[group]) / 2),
    scale: Float64Array.from(groups, (group) => ((most[group] - least[group]) / 2 + WIDENING) / END),
  }
}

/** `out` may be `features`. */
export function normaliseFeatures({ middle, scale }: FeatureRanges, features: Floats, out: Floats): void {
  for (let i = 0; i < features.length; i++) {
    const channel = i % ACAP_CHANNELS
    out[i] = (features[i] - middle[channel]) / scale[channel]
  }
}

/** The inverse of `normaliseFeatures`; `out` may be `numbers`. A gradient by features times `scale` is one by numbers. */
export function restoreFeatures({ middle, scale }: FeatureRanges, numbers: Floats, out: Floats): void {
  for (let i = 0; i < numbers.length; i++) {
    const channel = i % ACAP_CHANNELS
    out[i] = middle[channel] + scale[channel] * numbers[i]
  }
}
