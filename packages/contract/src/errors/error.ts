import type { TObject } from 'typebox'

/** The three ways an endpoint group says no (interface specification, "Endpoints"). */
export type AnswerStyle =
  /** `{ success: false, message }`: catalogue, lifecycle, text-to-speech, audio authentication. */
  | 'envelope'
  /** `{ error: message }`: account, gallery, permissions, transcripts, phone endpoints. */
  | 'bare'
  /** `{ error: CODE, message }`: managed-stream outputs. */
  | 'coded'

/** One entry of the error catalogue: what a client sees when `code` is raised. */
export interface ErrorEntry {
  readonly status: number
  readonly message: string
  /** Set where one error of a group is worded in another group's style. */
  readonly style?: AnswerStyle
  /** Fields that stand beside those of the style; its first example is shown in the documentation. */
  readonly beside?: TObject
}
