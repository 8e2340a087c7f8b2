/** What rivals of the benches are called in a table. */
const NAMES: Readonly<Record<string, string>> = {
  exact: 'our exact',
  exactDistance: 'our exact, distances',
  exactPseudonormal: 'our exact, pseudonormals',
  exactStop: 'our exact, stopping',
  threeMeshBvh: 'bvh refit',
  threeMeshBvhStop: 'bvh refit, stopping',
  threeMeshBvhRebuild: 'bvh rebuild',
  staticGeometry: 'StaticGeometry',
}

/** How many times as fast as which. */
export function gainText({ rival, gain }: { rival: string; gain: number }): string {
  return `${gain.toFixed(1)}x (${NAMES[rival] ?? rival})`
}
