export { openBus, redisPrefix } from './open-bus.ts'
export { type Cluster, listNodes, openCluster } from './open-cluster.ts'
export { NODE_SECRET_PURPOSE, type NodeInfo, nodeIdOf } from './shared-leases.ts'
