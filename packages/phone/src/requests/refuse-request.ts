import type { Message } from '@glasses-cloud/contract'

/**
 * The answer to a request for something that the glasses do not have, so that the app learns it at once and not at its deadline.
 * @param timestamp epoch ms
 * @returns undefined for messages that are not such a request
 */
export function refuseRequest(message: Message, timestamp: number): Message | undefined {
  const { type, requestId } = message
  switch (type) {
    case 'photo_request':
      return {
        type: 'photo_response',
        requestId,
        success: false,
        errorCode: 'CAMERA_NOT_AVAILABLE',
        errorMessage: 'These glasses have no camera',
        timestamp,
      }
    case 'rgb_led_control':
      return { type: 'rgb_led_control_response', requestId, success: false, error: 'device_not_supported' }
    case 'start_rtmp_stream':
      return refusedStream('rtmp_stream_status', message, timestamp)
    case 'start_stream':
      return refusedStream('stream_status', message, timestamp)
    default:
      return undefined
  }
}

function refusedStream(type: string, { streamId }: Message, timestamp: number): Message {
  return { type, streamId, status: 'error', errorDetails: 'These glasses have no camera', timestamp }
}
