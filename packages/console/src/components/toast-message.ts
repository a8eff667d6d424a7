/** What the user can do about a message, such as taking back what it reports. */
export interface ToastAction {
  readonly label: string
  readonly onPress: () => void
}

/** A message that is shown for a time. */
export interface ToastMessage {
  readonly kind: 'success' | 'failure'
  readonly text: string
  readonly action?: ToastAction | undefined
}
