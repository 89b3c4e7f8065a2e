import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { builtInLayers } from "../../core/prompt/built-ins.ts"
import type { Contribution } from "../../core/prompt/contribution.ts"
import type { PromptLayers, Registration } from "../../core/prompt/layers.ts"
import { contribute, withdraw } from "../../core/prompt/layers.ts"
import type { ContributionRefusal, ScopeRefusal } from "../../core/prompt/refusal.ts"
import type { ScopeKey } from "../../core/prompt/scope.ts"
import { bindScopeParent, rebindScopeParent } from "../../core/prompt/scope.ts"
import { Listeners } from "./listeners.ts"

/** Why an owner has no further contribution. */
export type OwnerRefusal = ContributionRefusal | { readonly code: "owner-disposed" }

/** The parent of a scope; only who gave it may give another one. */
export interface ScopeBinding {
  rebind(parent: ScopeKey): Either<ScopeRefusal, void>
}

interface Thrown {
  readonly cause: unknown
}

/** What contributes to prompts for as long as it is there, such as a plugin. */
export interface PromptOwner extends Disposable {
  /**
   * Registers a contribution; disposing takes it back, once.
   *
   * errors  owner-disposed, and those of core's `contribute`. What a listener throws comes through,
   *         and the contribution is not there then
   */
  contribute(contribution: Contribution): Either<OwnerRefusal, Disposable>
  /** Takes all of its contributions back, the newest first. What a listener throws comes through. */
  [Symbol.dispose](): void
}

/**
 * The contributions to prompts as they are now, and notices of their changes.
 *
 * shape   a notice is due after each registration and each withdrawal, of any kind and in any scope;
 *         it says nothing but that. All listeners are told, whatever one of them throws
 */
export class PromptRegistry {
  private held: PromptLayers
  private readonly listeners: Listeners<void> = new Listeners()

  /** Begins with the layers of a deployment. */
  constructor(layers: PromptLayers = builtInLayers()) {
    this.held = layers
  }

  /** The contributions now: a value, to assemble from. */
  get layers(): PromptLayers {
    return this.held
  }

  /** Has a listener told of each change from now on. One that throws prevents a registration. */
  onChange(listener: () => void): Disposable {
    return this.listeners.add(listener)
  }

  /** A new owner; its contributions are those of a scope, or of all. */
  owner(scope: ScopeKey | null = null): PromptOwner {
    const own = new Set<Registration>()
    let isDisposed = false
    return {
      contribute: (contribution) => {
        if (isDisposed) return left({ code: "owner-disposed" })
        const added = this.add(scope, contribution)
        if (isLeft(added)) return added
        own.add(added.right)
        return right({
          [Symbol.dispose]: () => {
            own.delete(added.right)
            throwIfAny(this.remove(added.right))
          },
        })
      },
      [Symbol.dispose]: () => {
        isDisposed = true
        const newestFirst = [...own].reverse()
        own.clear()
        // all of them go, whatever is thrown over one
        const thrown = newestFirst.map((registration) => this.remove(registration))
        throwIfAny(thrown.find((each) => each !== null) ?? null)
      },
    }
  }

  /** Gives a scope its parent. Errors: scope-bound, scope-cycle; to rebind it, scope-cycle. */
  bind(key: ScopeKey, parent: ScopeKey): Either<ScopeRefusal, ScopeBinding> {
    const parents = bindScopeParent(this.held.parents, key, parent)
    if (isLeft(parents)) return parents
    this.held = { ...this.held, parents: parents.right }
    return right({
      rebind: (next) => {
        const moved = rebindScopeParent(this.held.parents, key, next)
        if (isLeft(moved)) return moved
        this.held = { ...this.held, parents: moved.right }
        return right(undefined)
      },
    })
  }

  private add(
    scope: ScopeKey | null,
    contribution: Contribution,
  ): Either<ContributionRefusal, Registration> {
    const added = contribute(this.held, scope, contribution)
    if (isLeft(added)) return added
    const [layers, registration] = added.right
    this.held = layers
    const thrown = this.notify()
    if (thrown !== null) {
      this.remove(registration)
      throwIfAny(thrown)
    }
    return right(registration)
  }

  private remove(registration: Registration): Thrown | null {
    const layers = withdraw(this.held, registration)
    if (layers === this.held) return null
    this.held = layers
    return this.notify()
  }

  private notify(): Thrown | null {
    let first: Thrown | null = null
    for (const listener of this.listeners.now())
      try {
        listener()
      } catch (cause) {
        first ??= { cause }
      }
    return first
  }
}

const throwIfAny = (thrown: Thrown | null): void => {
  if (thrown !== null) throw thrown.cause
}
