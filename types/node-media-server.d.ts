/** Declares the part of node-media-server that the project uses; the package has no type declarations. */
declare module 'node-media-server/src/protocol/rtmp.js' {
  /** A message of a publisher. `data` is reused for the next message. */
  export interface AvPacket {
    /** 8: audio, 9: video, 18: metadata. */
    readonly codec_type: number
    /** 0: audio header, 1: audio, 2: video header, 3: keyframe, 4: other video frame, 5: metadata. */
    readonly flags: number
    /** Milliseconds. */
    readonly dts: number
    readonly size: number
    readonly data: Buffer
  }

  /** The server side of one RTMP connection, without its socket. */
  class Rtmp {
    protected streamId: number
    protected streamApp: string
    protected streamName: string
    protected inChunkSize: number
    protected readonly inPackets: ReadonlyMap<number, unknown>
    protected readonly parserPacket: { readonly header: { readonly length: number } }
    onOutputCallback: (data: Buffer) => void
    onPushCallback: () => void
    onPacketCallback: (packet: AvPacket) => void
    /** @returns a reason if the data is invalid @throws if it cannot be decoded */
    parserData(data: Buffer): string | null
    protected packetAlloc(): void
    protected controlHandler(): void
    protected respondPublish(): void
    protected onPlay(message: unknown): void
    protected onDeleteStream(message: unknown): void
    protected sendACK(bytes: number): void
    protected sendStatusMessage(streamId: number, level: string, code: string, description: string): void
  }
  export default Rtmp
}

declare module 'node-media-server/src/core/logger.js' {
  const logger: { log(message: string, level?: string): void }
  export default logger
}
