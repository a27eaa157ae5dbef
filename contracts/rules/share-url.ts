/** A public share link is the site origin plus /pub/trackers with a query parameter token. */
export const shareUrl = (origin: string, uuid: string) => `${origin}/pub/trackers?token=${uuid}`
