/** The code that does what the page shows, as a developer would write it. */
export const SDF_CONTACT_CODE = `
import { solidOf } from 'pliant/detect'
import { fieldOf, heart, shapeOf } from 'pliant/shapes'
import { RigidWorld } from 'pliant/sim'

const world = new RigidWorld()
const floor = shapeOf({ shape: 'half-space', normal: [0, 1, 0] })
world.add({ solid: solidOf(fieldOf(floor), floor.box), fixed: true })
const shape = heart(0.17) // or shapeOf(JSON.parse(text)); any field will do: voxels, a trained network, a mesh
const body = world.add({ solid: solidOf(fieldOf(shape), shape.box), density: 500 })

world.step(1 / 60) // every frame; body.pose says where it is
for (const pair of world.contacts) for (const { point, normal, impulse } of pair.solved()) draw(point, normal, impulse)
`
