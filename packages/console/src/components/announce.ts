/** Reads a text out to people who use a screen reader, by the region in `index.html`. */
export function announce(text: string): void {
  const region = document.getElementById('announcements')
  if (region !== null) region.textContent = text
}
