using System;
using System.Linq;

/// <summary>tests.exe PROGRAM ARGUMENTS: runs one program of the tests; exits with 0 and prints nothing if all is well.</summary>
internal static class Program
{
    private static int Main(string[] args)
    {
        try
        {
            string[] rest = args.Skip(1).ToArray();
            switch (args[0])
            {
                case "walk": Walk.Run(rest[0], rest[1]); break;
                case "batches": Batches.Run(rest[0], rest[1], rest[2]); break;
                case "digest": Digest.Run(rest[0], rest[1], ulong.Parse(rest[2])); break;
                case "decisions": Decisions.Run(rest[0], ulong.Parse(rest[1]), rest.Skip(2)); break;
                case "leaves": LeafSearches.Run(rest[0], int.Parse(rest[1]), rest[2], rest[3], int.Parse(rest[4]), rest[5]); break;
                case "misuse": Misuse.Run(rest); break;
                case "churn": Churn.Run(); break;
                case "threads": Threads.Run(); break;
                default: throw new ArgumentException("no program " + args[0]);
            }
            return 0;
        }
        catch (Exception failed)
        {
            Console.WriteLine(failed);
            return 1;
        }
    }
}
