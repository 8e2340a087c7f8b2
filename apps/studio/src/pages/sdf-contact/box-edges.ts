/** Ends of the twelve edges of a box, by signs: 24 corners, xyz each. */
export const BOX_EDGES: readonly number[] = edgesOfBox()

function edgesOfBox(): number[] {
  const signs: number[] = []
  for (let axis = 0; axis < 3; axis++) {
    for (const u of [-1, 1]) {
      for (const v of [-1, 1]) {
        for (const end of [-1, 1]) {
          const corner = [0, 0, 0]
          corner[axis] = end
          corner[(axis + 1) % 3] = u
          corner[(axis + 2) % 3] = v
          signs.push(...corner)
        }
      }
    }
  }
  return signs
}
