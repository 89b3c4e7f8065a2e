import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { deepFreeze } from "../../core/data/deep-freeze.ts"
import type { JsonObject } from "../../core/data/json.ts"
import type { RequestConfig } from "../../core/request/header.ts"
import { headerEquals } from "../../core/request/header.ts"
import { modelInfoOf } from "../../core/request/model-catalog.ts"
import type { ModelRequest } from "../../core/request/model-request.ts"
import type { RouteRefusal } from "../../core/request/refusal.ts"
import type { Route, ServedModel } from "../../core/request/route.ts"
import { routeOf } from "../../core/request/route.ts"
import { unlessAborted } from "../dispatch/unless-aborted.ts"

/** What sends requests to the models of a provider; `R` is what comes back. */
export interface Adapter<R> {
  /** What it knows of the model that is asked for. It may have to ask elsewhere. */
  readonly resolve: (
    proposed: RequestConfig,
    signal: AbortSignal,
  ) => ServedModel | PromiseLike<ServedModel>
  readonly stream: (request: ModelRequest) => R
}

/** Why a prepared call does not take a request: it took one, or it was prepared for another. */
export interface CallRefusal {
  readonly code: "INVALID_PREPARED_CALL"
  readonly what: "used" | "config"
}

/** The way of one attempt. */
export interface PreparedCall<R> {
  readonly route: Route
  /** Sends the request of the attempt, once; null where no adapter has the name of the provider. */
  readonly stream: ((request: ModelRequest) => Either<CallRefusal, R>) | null
}

interface Registered<R> {
  readonly adapter: Adapter<R>
  readonly gone: AbortController
}

const once = <R>(
  { adapter }: Registered<R>,
  route: Route,
): ((request: ModelRequest) => Either<CallRefusal, R>) => {
  let isUsed = false
  return (request) => {
    if (isUsed) return left({ code: "INVALID_PREPARED_CALL", what: "used" })
    // the fields of its config are among those of a request
    const asked = { config: request as unknown as JsonObject }
    if (!headerEquals({ config: route.config }, asked))
      return left({ code: "INVALID_PREPARED_CALL", what: "config" })
    isUsed = true
    return right(adapter.stream(request))
  }
}

/** Adapters by the name of their provider; the newest of a name serves until it goes. */
export class AdapterRegistry<R> {
  private readonly registered: Map<string, readonly Registered<R>[]> = new Map()

  /** Registers an adapter. Disposing takes it away, and aborts what it is resolving. */
  register(provider: string, adapter: Adapter<R>): Disposable {
    const registered: Registered<R> = { adapter, gone: new AbortController() }
    const those = (): readonly Registered<R>[] => this.registered.get(provider) ?? []
    this.registered.set(provider, [...those(), registered])
    return {
      [Symbol.dispose]: () => {
        const rest = those().filter((each) => each !== registered)
        if (rest.length > 0) this.registered.set(provider, rest)
        else this.registered.delete(provider)
        registered.gone.abort()
      },
    }
  }

  /**
   * Prepares the call of one attempt: its route is bound to the adapter that serves now, and stays
   * with that one whatever takes its name.
   *
   * errors  route-incomplete, INVALID_MODEL_INFO. What the adapter throws comes through, and so does
   *         the reason of a signal
   */
  async prepare(
    proposed: RequestConfig,
    signal: AbortSignal,
  ): Promise<Either<RouteRefusal, PreparedCall<R>>> {
    signal.throwIfAborted()
    // what becomes of the proposal meanwhile is nothing to the call
    const config = deepFreeze(structuredClone(proposed))
    const unserved = routeOf(config, null)
    if (isLeft(unserved)) return unserved
    const registered = this.registered.get(config.provider)?.at(-1)
    if (registered === undefined) return right({ route: deepFreeze(unserved.right), stream: null })
    const either = AbortSignal.any([signal, registered.gone.signal])
    const { adapter } = registered
    const served = await unlessAborted(Promise.resolve(adapter.resolve(config, either)), either)
    const info = modelInfoOf(served.info)
    if (isLeft(info)) return info
    const route = routeOf(config, { ...served, info: info.right })
    if (isLeft(route)) return route
    const bound = deepFreeze(route.right)
    return right({ route: bound, stream: once(registered, bound) })
  }
}
