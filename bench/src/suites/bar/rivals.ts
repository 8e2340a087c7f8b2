/** What the bar's field is raced against: exact, all with sign and normal; `Stop`: the search ends at the band. */
export const BAR_RIVALS = ['exact', 'exactPseudonormal', 'exactStop', 'threeMeshBvh', 'threeMeshBvhStop'] as const
export type BarMethod = 'learned' | 'learnedTwoThreads' | (typeof BAR_RIVALS)[number]
