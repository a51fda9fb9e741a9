package dev.oriel.kv;

/// Scanner over JSON text in UTF-8 that builds nothing: from the start of a value to its end. It refuses text that
/// RFC 8259 does not allow. Positions are byte indexes.
///
/// Nesting is bounded, so untrusted text cannot overflow the stack.
final class JsonScan {
    static final int DEPTH_MAX = 32;

    /// The text is not JSON.
    static final int MALFORMED = -1;

    /// The text is nested too deeply.
    static final int TOO_DEEP = -2;

    private final byte[] text;
    private final int end;

    JsonScan(byte[] text) {
        this.text = text;
        this.end = text.length;
    }

    /// Whether the whole text is one value: SUCCESS, NOT_JSON or DOCUMENT_TOO_DEEP.
    Status check() {
        int after = skipValue(skipSpace(0), 0);
        if (after == TOO_DEEP) {
            return Status.DOCUMENT_TOO_DEEP;
        }
        return after >= 0 && skipSpace(after) == end ? Status.SUCCESS : Status.NOT_JSON;
    }

    byte at(int i) {
        return i < end ? text[i] : 0;
    }

    int skipSpace(int from) {
        int i = from;
        while (i < end
                && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t')) {
            i++;
        }
        return i;
    }

    /// The end of the value that begins at `from`; negative if it is invalid.
    int skipValue(int from, int depth) {
        return switch (at(from)) {
            case '{', '[' -> depth == DEPTH_MAX ? TOO_DEEP : skipNested(from, depth + 1);
            case '"' -> skipString(from);
            case 't' -> skipWord(from, "true");
            case 'f' -> skipWord(from, "false");
            case 'n' -> skipWord(from, "null");
            default -> skipNumber(from);
        };
    }

    private int skipNested(int from, int depth) {
        boolean object = text[from] == '{';
        byte close = (byte) (object ? '}' : ']');
        int i = skipSpace(from + 1);
        if (at(i) == close) {
            return i + 1;
        }
        while (true) {
            if (object) {
                i = skipName(i);
                if (i < 0) {
                    return i;
                }
            }
            i = skipValue(i, depth);
            if (i < 0) {
                return i;
            }
            i = skipSpace(i);
            if (at(i) == close) {
                return i + 1;
            }
            if (at(i) != ',') {
                return MALFORMED;
            }
            i = skipSpace(i + 1);
        }
    }

    /// From the name of a member to its value.
    int skipName(int from) {
        int i = at(from) == '"' ? skipString(from) : MALFORMED;
        if (i < 0) {
            return i;
        }
        i = skipSpace(i);
        return at(i) == ':' ? skipSpace(i + 1) : MALFORMED;
    }

    int skipString(int from) {
        int i = from + 1;
        while (i < end) {
            byte b = text[i];
            if (b == '"') {
                return i + 1;
            }
            if (b >= 0 && b < 0x20) {
                return MALFORMED;
            }
            if (b == '\\') {
                i++;
                byte escaped = at(i);
                if (escaped == 'u') {
                    if (!isHex(i + 1) || !isHex(i + 2) || !isHex(i + 3) || !isHex(i + 4)) {
                        return MALFORMED;
                    }
                    i += 4;
                } else if ("\"\\/bfnrt".indexOf(escaped) < 0 || escaped == 0) {
                    return MALFORMED;
                }
            }
            i++;
        }
        return MALFORMED;
    }

    private boolean isHex(int i) {
        return Character.digit(at(i), 16) >= 0;
    }

    private int skipWord(int from, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (at(from + i) != word.charAt(i)) {
                return MALFORMED;
            }
        }
        return from + word.length();
    }

    private int skipNumber(int from) {
        int i = at(from) == '-' ? from + 1 : from;
        if (at(i) == '0') {
            i++;
        } else {
            int begin = i;
            i = skipDigits(i);
            if (i == begin) {
                return MALFORMED;
            }
        }
        if (at(i) == '.') {
            int begin = ++i;
            i = skipDigits(i);
            if (i == begin) {
                return MALFORMED;
            }
        }
        if (at(i) == 'e' || at(i) == 'E') {
            i++;
            if (at(i) == '+' || at(i) == '-') {
                i++;
            }
            int begin = i;
            i = skipDigits(i);
            if (i == begin) {
                return MALFORMED;
            }
        }
        return i;
    }

    private int skipDigits(int from) {
        int i = from;
        while (at(i) >= '0' && at(i) <= '9') {
            i++;
        }
        return i;
    }
}
