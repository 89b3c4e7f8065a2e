import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { isCount } from "../data/count.ts"
import type { AnyProjection, Unit } from "./definition.ts"
import type { RegistryRefusal } from "./refusal.ts"

interface Registration {
  /** The first definition that was registered under the key; later ones are only counted. */
  readonly unit: Unit
  readonly references: number
}

/** The units at hand, by key, in the order of their registration. A value. */
export interface ProjectionRegistry {
  readonly units: ReadonlyMap<string, Registration>
}

export const noUnits: ProjectionRegistry = { units: new Map() }

const put = (
  { units }: ProjectionRegistry,
  key: string,
  registration: Registration,
): ProjectionRegistry => ({ units: new Map(units).set(key, registration) })

/**
 * Adds a unit. A second definition of the same key and version adds a reference: the first one goes
 * on serving, and whoever registers sees to it that the two mean the same.
 *
 * errors  state-version-invalid, state-version-conflict
 */
export const registerUnit = (
  registry: ProjectionRegistry,
  definition: AnyProjection,
): Either<RegistryRefusal, ProjectionRegistry> => {
  const { key, stateVersion } = definition
  if (!isCount(stateVersion)) return left({ code: "state-version-invalid", key, stateVersion })
  const known = registry.units.get(key)
  if (known === undefined)
    return right(put(registry, key, { unit: definition as Unit, references: 1 }))
  const registered = known.unit.stateVersion
  return registered === stateVersion
    ? right(put(registry, key, { ...known, references: known.references + 1 }))
    : left({ code: "state-version-conflict", key, registered, offered: stateVersion })
}

/** Adds several units; the first refusal adds none of them. */
export const registerUnits = (
  registry: ProjectionRegistry,
  definitions: readonly AnyProjection[],
): Either<RegistryRefusal, ProjectionRegistry> => {
  let grown = registry
  for (const definition of definitions) {
    const next = registerUnit(grown, definition)
    if (isLeft(next)) return next
    grown = next.right
  }
  return right(grown)
}

/**
 * Takes back one registration; with the last one the key is gone, and its cells with it.
 *
 * errors  key-unregistered
 */
export const releaseUnit = (
  registry: ProjectionRegistry,
  key: string,
): Either<RegistryRefusal, ProjectionRegistry> => {
  const known = registry.units.get(key)
  if (known === undefined) return left({ code: "key-unregistered", key })
  if (known.references > 1)
    return right(put(registry, key, { ...known, references: known.references - 1 }))
  const units = new Map(registry.units)
  units.delete(key)
  return right({ units })
}
