/** What a search for deepest points fills. */

/** What is found of one solid in another: arrays hold `count` entries, and are used again by the next search. */
export interface DeepestPoints {
  count: number
  /** The first so many are points of the solid; the others are what these were followed to. */
  sampled: number
  /** How many of these are inside the other. */
  inside: number
  /** Points of the solid at which the other told no number. */
  unanswered: number
  /** On the surface of the one that is searched [m], in its frame, xyz triples. */
  points: Float64Array
  /** Distance of the other there [m]; negative inside. */
  distances: Float64Array
  /** Unit gradients of the other's distance, in the frame of the one that is searched; 0 where it is flat. */
  normals: Float64Array
  /** How long these were before: 1 of distances. */
  slopes: Float64Array
  /** Area that each stands for [m^2], as far as it faces the other; 0 of what was followed. */
  areas: Float64Array
  /** Which point of the solid each began at. */
  features: Uint32Array
}

/** Arrays with room for so many. */
export function emptyPoints(room: number): DeepestPoints {
  return {
    ...{ count: 0, sampled: 0, inside: 0, unanswered: 0 },
    points: new Float64Array(3 * room),
    distances: new Float64Array(room),
    normals: new Float64Array(3 * room),
    slopes: new Float64Array(room),
    areas: new Float64Array(room),
    features: new Uint32Array(room),
  }
}

/** Room for twice as many; what was found stays. */
export function grow(found: DeepestPoints): void {
  const { count, sampled, inside, unanswered, ...old } = found
  Object.assign(found, emptyPoints(Math.max(64, 2 * count)), { count, sampled, inside, unanswered })
  found.points.set(old.points)
  found.distances.set(old.distances)
  found.normals.set(old.normals)
  found.slopes.set(old.slopes)
  found.areas.set(old.areas)
  found.features.set(old.features)
}
