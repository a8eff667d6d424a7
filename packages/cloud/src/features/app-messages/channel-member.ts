import type { CloudToApp } from '@glasses-cloud/contract'
import type { AppMember, SharedMessage } from '../../session/index.ts'

/** A member of a channel, on this node or another. */
export interface ChannelMember extends Omit<AppMember, 'deliver'> {
  /**
   * @param isConfirmed whether the result must be certain; otherwise a member on another node counts as reached
   * @returns false if the message was not sent
   */
  deliver(message: SharedMessage<CloudToApp>, isConfirmed: boolean): boolean | Promise<boolean>
}
