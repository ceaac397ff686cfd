using System;
using System.Linq;
using System.Runtime.CompilerServices;
using Playmat;

/// <summary>What the C# tests share: checks that say where they failed.</summary>
internal static class Check
{
    internal static void True(bool condition, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        if (!condition)
            throw new Exception(file + ":" + line + ": is false; last message: " + Library.LastMessage);
    }

    internal static void Equal<T>(T found, T wanted, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        if (!Equals(found, wanted))
            throw new Exception(file + ":" + line + ": found " + found + ", wanted " + wanted + "; last message: " + Library.LastMessage);
    }

    internal static void Same<T>(T[] found, T[] wanted, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        True(found.SequenceEqual(wanted), file, line);
    }

    /// <summary>A call must be refused, with a message that says something.</summary>
    internal static PlaymatException Refused(Status wanted, Action call, [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0)
    {
        try
        {
            call();
        }
        catch (PlaymatException refused)
        {
            Equal(refused.Status, wanted, file, line);
            True(refused.Message.Length > 10, file, line);
            return refused;
        }
        throw new Exception(file + ":" + line + ": was not refused; wanted " + wanted);
    }

    /// <summary>What a call is refused for; Ok if it is not.</summary>
    internal static Status Throws(Action call)
    {
        try
        {
            call();
            return Status.Ok;
        }
        catch (PlaymatException refused)
        {
            return refused.Status;
        }
    }

    internal static T[] Part<T>(T[] all, int from, int count)
    {
        var part = new T[count];
        Array.Copy(all, from, part, 0, count);
        return part;
    }
}
