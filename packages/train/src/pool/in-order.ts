/**
 * Results in the order of their numbers, however they are finished.
 * @param ahead  how many are begun before the first of them is taken
 * @param begin  begins number `index`; called in order
 * @throws what any that is begun rejects with, at once: nobody has to wait for those before it
 */
export async function* inOrder<Result>(
  count: number,
  ahead: number,
  begin: (index: number) => Promise<Result>,
): AsyncGenerator<Result> {
  let fail!: (reason: unknown) => void
  const failure = new Promise<never>((_, reject) => {
    fail = reject
  })
  // It may come when nobody takes results any more.
  failure.catch(() => undefined)
  const begun: Promise<Result>[] = []
  let next = 0
  for (let index = 0; index < count; index++) {
    for (; next < Math.min(count, index + ahead); next++) {
      const result = begin(next)
      result.catch(fail)
      begun.push(result)
    }
    yield await Promise.race([begun.shift()!, failure])
  }
}
