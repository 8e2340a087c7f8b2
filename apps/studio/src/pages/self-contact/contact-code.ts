/** The code that does what the page shows, as a developer would write it. */
export const CONTACT_CODE = `
import { decode, fieldHalfSpace, load } from 'pliant'
import { ReducedWorld, reducedBodyOfArtifact } from 'pliant/sim'

// Once: npx pliant train bracelet --out bracelet.safetensors
const bracelet = await decode(bytes, 'self-contact')
const body = reducedBodyOfArtifact(bracelet, { field: await load(bracelet) }) // exact: exactSelfContact(bracelet.model)
const world = new ReducedWorld([body], { obstacles: [{ field: fieldHalfSpace([0, 1, 0], 0) }] })
const pull = world.pull(body, vertex)

// Every frame:
pull.target.set(pointer) // [m], world
world.step(1 / 60) // neither through the table nor through itself
body.positions(vertices)
`
