import type { AppHandlers, GlassesHandlers } from './parts/part.ts'

/** A feature class. Its static tables name the messages that its instances handle. */
export interface FeatureClass {
  readonly name: string
  readonly glassesHandlers?: GlassesHandlers<never>
  readonly appHandlers?: AppHandlers<never>
}

type Handler<Table extends object> = NonNullable<Table[keyof Table]>

/** The handler of a message type, and the index of its feature in the list of feature classes. */
export interface MessageRoute<Table extends object> {
  readonly featureIndex: number
  readonly handle: Handler<Table>
}

/** The route of each message type that glasses send. @throws Error when two features handle the same type */
export function glassesRoutes(
  classes: readonly FeatureClass[],
): ReadonlyMap<string, MessageRoute<GlassesHandlers<never>>> {
  return buildRoutes(classes, ({ glassesHandlers }) => glassesHandlers)
}

/** The route of each message type that apps send. @throws Error when two features handle the same type */
export function appRoutes(
  classes: readonly FeatureClass[],
): ReadonlyMap<string, MessageRoute<AppHandlers<never>>> {
  return buildRoutes(classes, ({ appHandlers }) => appHandlers)
}

function buildRoutes<Table extends object>(
  classes: readonly FeatureClass[],
  tableOf: (featureClass: FeatureClass) => Table | undefined,
): ReadonlyMap<string, MessageRoute<Table>> {
  const routes = new Map<string, MessageRoute<Table>>()
  for (const [featureIndex, featureClass] of classes.entries()) {
    for (const [type, handle] of Object.entries<Handler<Table>>(tableOf(featureClass) ?? {})) {
      const other = classes[routes.get(type)?.featureIndex ?? -1]
      if (other) throw new Error(`${featureClass.name} and ${other.name} both handle ${type}`)
      routes.set(type, { featureIndex, handle })
    }
  }
  return routes
}
