export const shareUrl = (origin: string, uuid: string) => `${origin}/pub/trackers?token=${uuid}`
