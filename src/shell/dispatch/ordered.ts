/**
 * Runs tasks with a bounded number under way and yields their results in the order of the tasks.
 *
 * shape   the result never depends on which task is done first
 * errors  the first failure, in the order of the tasks; the others are left to their own end
 */
export async function* ordered<A, B>(
  tasks: readonly A[],
  underWay: number,
  run: (task: A) => Promise<B>,
): AsyncGenerator<B> {
  const running: Promise<B>[] = []
  let next = 0
  const start = (): void => {
    const task = tasks[next++]
    if (task === undefined) return
    const result = run(task)
    // a failure is met when its turn comes; until then it must not count as unhandled
    result.catch(() => {})
    running.push(result)
  }
  while (next < tasks.length && running.length < underWay) start()
  for (let first = running.shift(); first !== undefined; first = running.shift()) {
    const result = await first
    start()
    yield result
  }
}
