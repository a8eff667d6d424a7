import type { TObject } from 'typebox'

/** The form of an error response. */
export type ErrorStyle =
  /** `{ error: CODE, message }`: every endpoint that no other party prescribes (HTTP-8), and managed-stream outputs. */
  | 'coded'
  /** `{ success: false, message }`: catalogue, lifecycle, text-to-speech, audio authentication. */
  | 'envelope'
  /** `{ error: message }`: account, gallery, permissions, transcripts, phone endpoints. */
  | 'bare'
  /** `{ code: STATUS, error_code, msg }`: `/auth/v1`, as clients of Supabase Auth read it. */
  | 'supabase'

/** An entry of the error catalogue. */
export interface ErrorEntry {
  readonly status: number
  readonly message: string
  /** Overrides the style of the endpoint. */
  readonly style?: ErrorStyle
  /** Schema of additional fields; its first example is shown in the documentation. */
  readonly extraFields?: TObject
}
