export { AuthenticatedTransport, versionedChannel } from './authenticated-transport.ts'
export {
  type Bus,
  BusError,
  type BusTransport,
  FRAME_KINDS,
  type Subscription,
  type TransportEvents,
  UnsupportedRequest,
} from './bus.ts'
export { MemoryExchange } from './memory-transport.ts'
export { MessageBus } from './message-bus.ts'
export { nodeChannel } from './node-channels.ts'
export { connectRedis, type RedisClient } from './redis-connection.ts'
export { RedisTransport } from './redis-transport.ts'
export { type NodeCall, nodeCall } from './requests.ts'
