/**
 * Runs tasks with a bounded number under way and yields their results in the order of the tasks.
 *
 * shape   the result never depends on which task is done first
 * errors  the first failure, in the order of the tasks; the others are left to their own end
 */
export async function* ordered<A, B>(
  tasks: Iterable<A>,
  underWay: number,
  run: (task: A) => Promise<B>,
): AsyncGenerator<B> {
  const running: Promise<B>[] = []
  const waiting = tasks[Symbol.iterator]()
  const start = (): boolean => {
    const task = waiting.next()
    if (task.done === true) return false
    const result = run(task.value)
    // a failure is met when its turn comes; until then it must not count as unhandled
    result.catch(() => {})
    running.push(result)
    return true
  }
  while (running.length < underWay && start());
  for (let first = running.shift(); first !== undefined; first = running.shift()) {
    const result = await first
    start()
    yield result
  }
}
