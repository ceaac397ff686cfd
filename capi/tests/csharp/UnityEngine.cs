// As much of Unity as the sample of the package names, so that it is compiled in the tests.
namespace UnityEngine
{
    public class MonoBehaviour
    {
        public bool enabled = true;

    }

    public sealed class SerializeField : System.Attribute
    {
    }

    public sealed class TooltipAttribute : System.Attribute
    {
        public TooltipAttribute(string tooltip)
        {
        }
    }

    public static class Application
    {
        public static string streamingAssetsPath;
    }

    public static class Debug
    {
        public static void LogWarning(object message)
        {
        }
    }
}
