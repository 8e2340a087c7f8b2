/** Trained characters on three.js's live skeletons, bodies that know when they touch themselves, avatars that are kept out of themselves. Needs three beside it; docs/three.md has the rules. */
export { Collider, SharedField } from './collider.js'
export { type ColliderOptions, colliderFromGltf, type LoadedGltf, loadCollider } from './load-collider.js'
export { type LoadPoseGuardOptions, loadPoseGuard, PoseGuard } from './pose-guard.js'
export { type LoadSelfContactOptions, loadSelfContact, SelfContact, type SelfContactOptions } from './self-contact.js'
export { SkinnedCollider } from './skinned-collider.js'
