/** The code that does what the page shows, as a developer would write it. */
export const POSE_CODE = `
import { decode, load } from 'pliant'
import { characterShape } from 'pliant/character'
import { exactSelfContact } from 'pliant/exact'
import { CodeGuard, handleCode } from 'pliant/respond'

// Once: npx pliant train hero.glb --learn self-contact --out hero.safetensors
const hero = await decode(bytes, 'character-contact')
const field = await load(hero)
const exact = exactSelfContact(characterShape(hero.character, hero.manifest.model.neighbours))
const { free } = handleCode(field, exact, code, {}, code) // the nearest free pose, checked exactly

const guard = new CodeGuard(field) // or every frame, in less than a millisecond:
guard.keep(code, code)
`
