/** Collaborators of the endpoints that describe the interface. */
export interface DescriptionDeps {
  /** Version of the cloud. */
  readonly version: string
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
}
