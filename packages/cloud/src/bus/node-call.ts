import { createValidator } from '@glasses-cloud/contract'
import type { Static, TSchema } from 'typebox'
import { type Bus, BusError, UnsupportedRequest } from './bus.ts'

/** A request from one node to another. Nodes of two versions run side by side while a cluster is upgraded. */
export interface NodeCall<Argument, Result> {
  /** @throws BusError, with the code UNSUPPORTED if one of the nodes does not know the other's form of the request */
  send(bus: Pick<Bus, 'request'>, nodeId: string, argument: Argument, timeoutMs?: number): Promise<Result>
  /** Sets the handler of the request on this node. */
  handle(bus: Bus, handler: (argument: Argument, from: string) => Result | Promise<Result>): void
}

interface NodeCallOptions<Argument extends TSchema, Result extends TSchema> {
  /** Unique. A change that nodes of the previous version would misread gets a new name. */
  readonly name: string
  readonly argument: Argument
  readonly result: Result
  readonly timeoutMs: number
}

/** Declares a request between nodes. Its argument and its result are checked where they are received. */
export function nodeCall<Argument extends TSchema, Result extends TSchema>({
  name,
  argument: argumentSchema,
  result: resultSchema,
  timeoutMs: defaultTimeoutMs,
}: NodeCallOptions<Argument, Result>): NodeCall<Static<Argument>, Static<Result>> {
  const arguments_ = createValidator(argumentSchema)
  const results = createValidator(resultSchema)
  return {
    async send(bus, nodeId, argument, timeoutMs = defaultTimeoutMs) {
      const result = await bus.request(nodeId, name, argument, timeoutMs)
      if (results.Check(result)) return result
      throw new BusError('UNSUPPORTED', `The other node answered ${name} in a form of another version`)
    },
    handle(bus, handler) {
      bus.handle(name, (argument, from) => {
        if (arguments_.Check(argument)) return handler(argument, from)
        throw new UnsupportedRequest(`This node does not know this form of ${name}`)
      })
    },
  }
}
