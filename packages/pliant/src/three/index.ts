/** Trained characters on three.js's live skeletons, and bodies that know when they touch themselves. Needs three beside it; docs/three.md has the rules. */
export { Collider, SharedField } from './collider.js'
export { type ColliderOptions, colliderFromGltf, type LoadedGltf, loadCollider } from './load-collider.js'
export { type LoadSelfContactOptions, loadSelfContact, SelfContact, type SelfContactOptions } from './self-contact.js'
export { SkinnedCollider } from './skinned-collider.js'
