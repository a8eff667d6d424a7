import { barePairs, cloudPairs } from './pairs.ts'
import { relayed } from './relayed.ts'
import { ServerProcess } from './server-process.ts'

const PAIRS = 20
/** 20 ms of sound. */
const frame = Buffer.alloc(640, 7)

/** Processor time a relayed frame of sound costs, as a ratio of bare `ws` to the cloud. Aim: 0.8 or better. */
export async function relay(): Promise<string> {
  const bare = await ServerProcess.start('bare')
  const cloud = await ServerProcess.start('cloud')
  const [bareMicros, cloudMicros] = await relayed([
    { server: bare, pairs: await barePairs(bare, PAIRS), frame },
    { server: cloud, pairs: await cloudPairs(cloud, PAIRS, ['audio_chunk']), frame },
  ])
  return `relay of 640-byte frames: ${(bareMicros / cloudMicros).toFixed(2)} of bare ws (${cloudMicros.toFixed(1)} against ${bareMicros.toFixed(1)} µs of processor a frame; aim: 0.8)`
}
