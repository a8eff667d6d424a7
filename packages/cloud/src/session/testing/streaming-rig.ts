import assert from 'node:assert/strict'
import type { AppToCloud, Message, Permission } from '@glasses-cloud/contract'
import { GlassesDevice } from '../parts/glasses-device.ts'
import type { RecordingPeer } from './recording-peer.ts'
import { ScriptedStreaming } from './scripted-streaming.ts'
import { createAppDefinition, SessionRig } from './session-rig.ts'

const CAMERA: Permission = { type: 'CAMERA', description: '' }

/** Apps with the permission CAMERA. */
export const [first, second] = ['com.first', 'com.second'] as const
/** An app without the permission CAMERA. */
export const NO_CAMERA_APP = 'com.blind'

/** A session with camera glasses on Wi-Fi, three apps, and a streaming provider whose calls the test completes. */
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
    this.session
      .part(GlassesDevice)
      .report({ modelName: 'Mentra Live', connected: true, wifiConnected: true })
  }

  sendFromApp(peer: RecordingPeer, message: AppToCloud): void {
    this.session.handleAppMessage(peer.name, peer, message)
  }

  requestManagedStream(
    peer: RecordingPeer,
    more: Omit<Extract<AppToCloud, { type: 'managed_stream_request' }>, 'type'> = {},
  ): void {
    this.sendFromApp(peer, { type: 'managed_stream_request', ...more })
  }

  requestRtmpStream(peer: RecordingPeer, rtmpUrl = 'rtmp://tv.test/app/secret'): void {
    this.sendFromApp(peer, { type: 'rtmp_stream_request', rtmpUrl })
  }

  /** Reports a stream status from the glasses, by default of the current stream. */
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

  /** Acknowledges a keep-alive of the current stream. */
  acknowledgeKeepAlive(ackId: string): void {
    this.session.handleGlassesMessage(this.glassesPeer, {
      type: 'keep_alive_ack',
      streamId: this.streamId,
      ackId,
    })
  }

  /** The id of the stream that the glasses were last asked to start. */
  get streamId(): string {
    return String(this.glassesPeer.lastOfType('start_rtmp_stream')?.streamId)
  }

  /** Starts a managed stream for an app, up to the status `active`. */
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

/** The managed stream statuses that an app received, in order. */
export function managedStatuses(peer: RecordingPeer): unknown[] {
  return peer.messagesOfType('managed_stream_status').map(({ status }) => status)
}

/** The RTMP stream statuses that an app received, in order. */
export function rtmpStatuses(peer: RecordingPeer): unknown[] {
  return peer.messagesOfType('rtmp_stream_status').map(({ status }) => status)
}

/** The last managed stream status that an app received. */
export function lastManagedStatus(peer: RecordingPeer): Message {
  const last = peer.lastOfType('managed_stream_status')
  assert.ok(last, `${peer.name} received a managed stream status`)
  return last
}
