/** Those who are told of what happens, in the order in which they came. */
export class Listeners<A> {
  // each has an identity of its own, so that one listener may be there twice
  private entries: readonly { readonly listener: (told: A) => unknown }[] = []

  /** Adds a listener; disposing takes that one away, once. */
  add(listener: (told: A) => unknown): Disposable {
    const entry = { listener }
    this.entries = [...this.entries, entry]
    return {
      [Symbol.dispose]: () => {
        this.entries = this.entries.filter((each) => each !== entry)
      },
    }
  }

  /** Those who are there now; who comes or goes meanwhile does not change it. */
  now(): readonly ((told: A) => unknown)[] {
    return this.entries.map(({ listener }) => listener)
  }
}
