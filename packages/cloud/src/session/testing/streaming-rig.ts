import assert from 'node:assert/strict'
import type { AppToCloud, Message, Permission } from '@glasses-cloud/contract'
import type { RecordingPeer } from './recording-peer.ts'
import { ScriptedStreaming } from './scripted-streaming.ts'
import { createAppDefinition, SessionRig } from './session-rig.ts'

const CAMERA: Permission = { type: 'CAMERA', description: '' }

/** The apps of a streaming rig that may use the camera. */
export const [first, second] = ['com.first', 'com.second'] as const
/** The app that may not. */
export const NO_CAMERA_APP = 'com.blind'

/** A session with camera glasses on Wi-Fi, three apps, and a provider whose every answer the test gives. */
export class StreamingRig extends SessionRig {
  readonly streaming = new ScriptedStreaming()
  readonly glassesPeer: RecordingPeer

  constructor(withProvider = true) {
    const streaming = new ScriptedStreaming()
    super(
      [
        createAppDefinition(first, { permissions: [CAMERA] }),
        createAppDefinition(second, { permissions: [CAMERA] }),
        createAppDefinition(NO_CAMERA_APP),
      ],
      withProvider ? { streaming } : {},
    )
    this.streaming = streaming
    this.glassesPeer = this.connectGlasses()
    this.session.glassesDevice.report({ modelName: 'Mentra Live', connected: true, wifiConnected: true })
  }

  /** An app says something. */
  sendFromApp(peer: RecordingPeer, message: AppToCloud): void {
    this.session.handleAppMessage(peer.name, peer, message)
  }

  /** An app asks for the managed stream. */
  requestManagedStream(
    peer: RecordingPeer,
    more: Omit<Extract<AppToCloud, { type: 'managed_stream_request' }>, 'type'> = {},
  ): void {
    this.sendFromApp(peer, { type: 'managed_stream_request', ...more })
  }

  /** An app asks for an RTMP stream. */
  requestRtmpStream(peer: RecordingPeer, rtmpUrl = 'rtmp://tv.test/app/secret'): void {
    this.sendFromApp(peer, { type: 'rtmp_stream_request', rtmpUrl })
  }

  /** The glasses say how their stream stands; the current one unless another is named, or none. */
  reportStreamStatus(
    status: string,
    more: { streamId?: string | null; errorDetails?: string; stats?: object } = {},
  ): void {
    this.session.handleGlassesMessage(this.glassesPeer, {
      type: 'rtmp_stream_status',
      streamId: this.streamId,
      status,
      ...more,
    } as Parameters<typeof this.session.handleGlassesMessage>[1])
  }

  /** The glasses answer a keep-alive of the current stream. */
  acknowledgeKeepAlive(ackId: string): void {
    this.session.handleGlassesMessage(this.glassesPeer, {
      type: 'keep_alive_ack',
      streamId: this.streamId,
      ackId,
    })
  }

  /** The stream the glasses were told of last. */
  get streamId(): string {
    return String(this.glassesPeer.lastOfType('start_rtmp_stream')?.streamId)
  }

  /** An app's managed stream, up to the point where it can be watched. */
  startManagedStream(packageName: string): RecordingPeer {
    const peer = this.runApp(packageName)
    this.requestManagedStream(peer)
    this.streaming.completeCreateInput()
    this.reportStreamStatus('streaming')
    this.streaming.completeIsReady()
    assert.equal(peer.lastOfType('managed_stream_status')?.status, 'active')
    return peer
  }
}

/** The statuses an app was told of its managed stream, in order. */
export function managedStatuses(peer: RecordingPeer): unknown[] {
  return peer.messagesOfType('managed_stream_status').map(({ status }) => status)
}

/** The statuses an app was told raw of its RTMP stream, in order. */
export function rtmpStatuses(peer: RecordingPeer): unknown[] {
  return peer.messagesOfType('rtmp_stream_status').map(({ status }) => status)
}

/** The last word of an app's managed stream. */
export function lastManagedStatus(peer: RecordingPeer): Message {
  const last = peer.lastOfType('managed_stream_status')
  assert.ok(last, `${peer.name} was told something`)
  return last
}
