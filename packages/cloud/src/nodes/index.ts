export { type Cluster, listNodes, openBus, openCluster, redisPrefix } from './open-cluster.ts'
export { NODE_SECRET_PURPOSE, type NodeInfo, nodeIdOf } from './shared-leases.ts'
