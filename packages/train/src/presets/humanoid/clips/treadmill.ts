/**
 * Where a foot is that goes back with the ground and then forward through the air, without a jolt between.
 * @param stance         share of a round on the ground, which begins at phase 0
 * @param ahead, behind  where it touches down and where it leaves [m]
 */
export function treadmill(phase: number, stance: number, ahead: number, behind: number): number {
  const time = phase - Math.floor(phase)
  const way = behind - ahead
  if (time < stance) return ahead + (way * time) / stance
  const t = (time - stance) / (1 - stance)
  const slope = (way * (1 - stance)) / stance
  return behind + t * (slope + t * (t * (2 * way + 2 * slope) - 3 * way - 3 * slope))
}
